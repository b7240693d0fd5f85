# SPDX-License-Identifier: GPL-2.0-only
# cpack runs this on the staged tree: what Debian's policy wants of /usr/share, which
# debhelper does for debian/'s own packages.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
	return()
endif()
get_filename_component(source ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
set(share ${CPACK_TEMPORARY_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
set(doc ${share}/doc/btf-locs)
set(news ${doc}/NEWS)
file(GLOB pages ${share}/man/man*/*)
if(NOT pages OR NOT EXISTS ${news})
	message(FATAL_ERROR "deb-docs: no man pages or no NEWS in ${share}")
endif()
file(REMOVE ${doc}/COPYING)
file(COPY_FILE ${source}/debian/copyright ${doc}/copyright)
file(COPY_FILE ${source}/debian/changelog ${doc}/changelog)
file(CHMOD ${doc}/copyright ${doc}/changelog
	PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
foreach(file ${pages} ${news} ${doc}/changelog)
	execute_process(COMMAND gzip -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
