# SPDX-License-Identifier: GPL-2.0-only
# cpack -G DEB, cpack -G RPM: all that is installed in one package. A distribution's own
# packages are cut finer: debian/.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME btf-locs)
set(CPACK_PACKAGE_CONTACT "btf-locs developers <btf-locs@example.org>")
set(CPACK_PACKAGE_VENDOR "btf-locs")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
	"inline sites and parameter locations of a kernel, beside BTF")
set(CPACK_PACKAGE_DESCRIPTION
"btflocs and pahole-locs write, from a kernel's DWARF, a section beside .BTF,
called .BTF.func_info: each inline site, and each function whose parameters are
not where the calling convention puts them, with the place of each parameter's
value. btflocs and the library libbtf_locs read it.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/COPYING)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
file(WRITE ${PROJECT_BINARY_DIR}/deb/triggers "activate-noawait ldconfig\n")
file(WRITE ${PROJECT_BINARY_DIR}/deb/shlibs
	"libbtf_locs ${PROJECT_VERSION_MAJOR} btf-locs (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
	${PROJECT_BINARY_DIR}/deb/triggers ${PROJECT_BINARY_DIR}/deb/shlibs)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "pahole (>= 1.24) | dwarves (>= 1.24)")
# for a first .BTF; to build against the library
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
	"llvm, libelf-dev, liblzma-dev, libzstd-dev, zlib1g-dev")
# it has the files of debian/'s library packages
set(CPACK_DEBIAN_PACKAGE_CONFLICTS "libbtf-locs0, libbtf-locs-dev")
set(CPACK_DEBIAN_PACKAGE_REPLACES "libbtf-locs0, libbtf-locs-dev")
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/deb-docs.cmake)

set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_SUMMARY ${CPACK_PACKAGE_DESCRIPTION_SUMMARY})
set(CPACK_RPM_PACKAGE_DESCRIPTION ${CPACK_PACKAGE_DESCRIPTION})
set(CPACK_RPM_PACKAGE_RELOCATABLE FALSE)
set(CPACK_PACKAGE_RELOCATABLE FALSE)
# the same package wherever it is built, with no more in it than is installed
set(CPACK_RPM_SPEC_MORE_DEFINE
"%define _build_id_links none
%define _buildhost localhost
%define use_source_date_epoch_as_buildtime 1
%define clamp_mtime_to_source_date_epoch 1")
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION
	/usr/lib64/pkgconfig /usr/share/bash-completion /usr/share/bash-completion/completions
	/usr/share/man /usr/share/man/man1 /usr/share/man/man3 /usr/share/man/man5)
set(CPACK_RPM_PACKAGE_LICENSE "GPL-2.0-only AND (LGPL-2.1-only OR BSD-2-Clause)")
set(CPACK_RPM_PACKAGE_GROUP "Development/Tools")
set(CPACK_RPM_PACKAGE_REQUIRES "dwarves >= 1.24")
set(CPACK_RPM_POST_INSTALL_SCRIPT_FILE ${PROJECT_SOURCE_DIR}/packaging/rpm-ldconfig.sh)
set(CPACK_RPM_POST_UNINSTALL_SCRIPT_FILE ${PROJECT_SOURCE_DIR}/packaging/rpm-ldconfig.sh)
include(CPack)
