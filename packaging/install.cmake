# SPDX-License-Identifier: GPL-2.0-only
# What is installed, and where to; tests/package/files.txt lists it.
install(TARGETS btflocs pahole-locs RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS btf_locs btf_locs_static
	LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
	ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES btf_locs.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/libbtf_locs.pc
	DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES man-pages/btflocs.1 man-pages/pahole-locs.1
	DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES man-pages/libbtf_locs.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
install(FILES man-pages/btf-func-info.5 DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
install(FILES completions/btflocs completions/pahole-locs
	DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(PROGRAMS scripts/install-func-info DESTINATION ${CMAKE_INSTALL_DATADIR}/btf-locs)
install(FILES README NEWS COPYING DESTINATION ${CMAKE_INSTALL_DOCDIR})
