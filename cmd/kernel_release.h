/* SPDX-License-Identifier: GPL-2.0-only */
/* kernel_release.h - which kernel a vmlinux is, and which one a module is for */
#ifndef KERNEL_RELEASE_H
#define KERNEL_RELEASE_H

#include "../lib/elf_file.h"

#define RELEASE_SIZE 65		/* as in struct utsname, with the NUL */

/*
 * "6.1.0-57-cloud-amd64", by what the kernel says at boot; "" where the file is no vmlinux.
 * 0 or -ENOMEM.
 */
int kernel_release__of_vmlinux(const char *path, char out[RELEASE_SIZE]);
/* Of the kernel that a module is for, by its vermagic; "" where the object is no module. */
int kernel_release__of_module(struct elf_file *file, char out[RELEASE_SIZE]);

#endif
