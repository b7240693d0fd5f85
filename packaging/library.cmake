# SPDX-License-Identifier: GPL-2.0-only
# libbtf_locs: the reader as other programs link it, shared and static. Our own programs
# link its parts, locs_core and locs_consume, and so run without it.

# What only the programs use stays out of the shared library.
target_compile_options(locs_core PRIVATE -ffunction-sections -fdata-sections)
target_compile_options(locs_consume PRIVATE -ffunction-sections -fdata-sections)

set(map ${PROJECT_SOURCE_DIR}/libbtf_locs.map)
add_library(btf_locs SHARED $<TARGET_OBJECTS:locs_consume>)
target_link_libraries(btf_locs PRIVATE locs_core)
target_link_options(btf_locs PRIVATE
	-Wl,--version-script=${map} -Wl,-z,defs -Wl,--as-needed -Wl,--gc-sections)
set_target_properties(btf_locs PROPERTIES
	VERSION ${PROJECT_VERSION}
	SOVERSION ${PROJECT_VERSION_MAJOR}
	LINKER_LANGUAGE C
	LINK_DEPENDS ${map})

# One archive with all of it.
add_library(btf_locs_static STATIC
	$<TARGET_OBJECTS:locs_consume> $<TARGET_OBJECTS:locs_core>)
set_target_properties(btf_locs_static PROPERTIES OUTPUT_NAME btf_locs LINKER_LANGUAGE C)

# The .pc file names the libraries that locs_core was given, whatever was configured.
get_target_property(core_libs locs_core INTERFACE_LINK_LIBRARIES)
set(pc_requires "")
foreach(lib ${core_libs})
	if(NOT lib MATCHES "PkgConfig::([A-Za-z0-9_]+)")
		message(FATAL_ERROR "libbtf_locs.pc: of which package is '${lib}'?")
	endif()
	list(APPEND pc_requires ${${CMAKE_MATCH_1}_MODULE_NAME})
endforeach()
list(JOIN pc_requires ", " pc_requires)
foreach(dir includedir libdir)
	string(TOUPPER CMAKE_INSTALL_${dir} var)
	if(IS_ABSOLUTE ${${var}})
		set(pc_${dir} ${${var}})
	else()
		set(pc_${dir} "\${prefix}/${${var}}")
	endif()
endforeach()
configure_file(libbtf_locs.pc.in libbtf_locs.pc @ONLY)
