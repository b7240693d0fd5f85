/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* btf_decl.h - a BTF type as a declaration in C */
#ifndef LOCS_BTF_DECL_H
#define LOCS_BTF_DECL_H

#include "btf_chain.h"

/*
 * Type @id as C writes it ("const struct file *"), around the declarator @name ("int
 * (*cb)(void *)"; NULL: none, but a FUNC has its own). Anonymous structs are "struct
 * {...}", a clang type tag is written as the kernel's macro for it ("__user").
 *
 * @buf, @size: where to, as snprintf() takes them; always terminated if size > 0.
 * Returns the length the whole has, or -EINVAL (@buf is then "") for an id that is not
 * there or is no type of a value. A type that is nested too deep, or contains itself,
 * ends in "..."; one of a kind that is not known is "?".
 */
int btf_decl__str(const struct btf_chain *c, uint32_t id, const char *name, char *buf,
		  size_t size);

/*
 * Whether btf_decl__str() can write it, in as many steps: 0, or -EINVAL and the type in it that is
 * none of a value in @bad.
 */
int btf_decl__check(const struct btf_chain *c, uint32_t id, uint32_t *bad);

#endif
