// SPDX-License-Identifier: GPL-2.0-only
/* pahole_opts.c - the options of pahole 1.24 to 1.32, as a table */
#include "pahole_opts.h"

#include <string.h>

#define NO	STYLE_NO
#define REQ	STYLE_REQUIRED
#define OPT	STYLE_OPTIONAL

static const struct pahole_opt_desc opts[] = {
	{ "anon_include",			'a', NO,  OPT_OTHER },
	{ "bit_holes",				'B', REQ, OPT_OTHER },
	{ "btf_attributes",			0,   NO,  OPT_SINGLE },
	{ "btf_base",				0,   REQ, OPT_BTF_BASE },
	{ "btf_encode",				'J', NO,  OPT_ENCODE },
	{ "btf_encode_detached",		0,   REQ, OPT_DETACHED },
	{ "btf_encode_force",			0,   NO,  OPT_SINGLE },
	{ "btf_features",			0,   REQ, OPT_FEATURES },
	{ "btf_features_strict",		0,   REQ, OPT_FEATURES_STRICT },
	{ "btf_gen_all",			0,   NO,  OPT_GEN_ALL },
	{ "btf_gen_floats",			0,   NO,  OPT_SINGLE },
	{ "btf_gen_optimized",			0,   NO,  OPT_SINGLE },
	{ "cacheline_size",			'c', REQ, OPT_OTHER },
	{ "class_name",				'C', REQ, OPT_OTHER },
	{ "class_name_len",			'N', NO,  OPT_OTHER },
	{ "classes_as_structs",			0,   NO,  OPT_OTHER },
	{ "compile",				0,   NO,  OPT_OTHER },
	{ "contains",				'i', REQ, OPT_OTHER },
	{ "contains_enumerator",		0,   REQ, OPT_OTHER },
	{ "count",				0,   REQ, OPT_OTHER },
	{ "ctf_encode",				'Z', NO,  OPT_OTHER },
	{ "cu_exclude",				'X', REQ, OPT_OTHER },
	{ "decl_exclude",			'D', REQ, OPT_OTHER },
	{ "defined_in",				'u', NO,  OPT_OTHER },
	{ "devel_version",			0,   NO,  OPT_LEAVES },
	{ "dwarf_offset",			'O', REQ, OPT_OTHER },
	{ "encode_btf_global_vars",		0,   NO,  OPT_SINGLE },
	{ "exclude",				'x', REQ, OPT_OTHER },
	{ "expand_pointers",			'p', NO,  OPT_OTHER },
	{ "expand_types",			'E', NO,  OPT_OTHER },
	{ "features",				0,   REQ, OPT_FEATURES },
	{ "find_pointers_to",			'f', REQ, OPT_OTHER },
	{ "first_obj_only",			0,   NO,  OPT_OTHER },
	{ "fixup_silly_bitfields",		0,   NO,  OPT_OTHER },
	{ "flat_arrays",			0,   NO,  OPT_OTHER },
	{ "force_cu_merging",			0,   NO,  OPT_OTHER },
	{ "format_path",			'F', REQ, OPT_OTHER },
	{ "hashbits",				0,   REQ, OPT_OTHER },
	{ "header_type",			0,   REQ, OPT_OTHER },
	{ "help",				'?', NO,  OPT_LEAVES_NOW },
	{ "hex",				0,   NO,  OPT_OTHER },
	{ "hole_size_ge",			'z', REQ, OPT_OTHER },
	{ "holes",				'H', REQ, OPT_OTHER },
	{ "inner_anon",				0,   NO,  OPT_OTHER },
	{ "jobs",				'j', OPT, OPT_JOBS },
	{ "kabi_prefix",			0,   REQ, OPT_OTHER },
	{ "lang",				0,   REQ, OPT_LANG },
	{ "lang_exclude",			0,   REQ, OPT_LANG_EXCLUDE },
	{ "nested_anon_include",		'A', NO,  OPT_OTHER },
	{ "nr_definitions",			'T', NO,  OPT_OTHER },
	{ "nr_members",				'n', NO,  OPT_OTHER },
	{ "nr_methods",				'm', NO,  OPT_OTHER },
	{ "numeric_version",			0,   NO,  OPT_LEAVES },
	{ "packable",				'P', NO,  OPT_OTHER },
	{ "packed",				0,   NO,  OPT_OTHER },
	{ "padding",				0,   REQ, OPT_OTHER },
	{ "padding_ge",				0,   REQ, OPT_OTHER },
	{ "prefix_filter",			'y', REQ, OPT_OTHER },
	{ "prettify",				0,   REQ, OPT_OTHER },
	{ "ptr_table_stats",			0,   NO,  OPT_OTHER },
	{ "quiet",				'q', NO,  OPT_OTHER },
	{ "range",				0,   REQ, OPT_OTHER },
	{ "recursive",				'd', NO,  OPT_OTHER },
	{ "rel_offset",				'r', NO,  OPT_OTHER },
	{ "reorganize",				'R', NO,  OPT_OTHER },
	{ "reproducible_build",			0,   NO,  OPT_SINGLE },
	{ "running_kernel_vmlinux",		0,   NO,  OPT_LEAVES },
	{ "seek_bytes",				0,   REQ, OPT_OTHER },
	{ "separator",				't', REQ, OPT_OTHER },
	{ "show_decl_info",			'I', NO,  OPT_OTHER },
	{ "show_first_biggest_size_base_type_member", 'l', NO, OPT_OTHER },
	{ "show_only_data_members",		'M', NO,  OPT_OTHER },
	{ "show_private_classes",		0,   NO,  OPT_OTHER },
	{ "show_reorg_steps",			'S', NO,  OPT_OTHER },
	{ "size_bytes",				0,   REQ, OPT_OTHER },
	{ "sizes",				's', NO,  OPT_OTHER },
	{ "skip",				0,   REQ, OPT_OTHER },
	{ "skip_emitting_atomic_typedefs",	0,   NO,  OPT_OTHER },
	{ "skip_encoding_btf_decl_tag",		0,   NO,  OPT_SINGLE },
	{ "skip_encoding_btf_enum64",		0,   NO,  OPT_SINGLE },
	{ "skip_encoding_btf_inconsistent_proto", 0, NO,  OPT_SINGLE },
	{ "skip_encoding_btf_type_tag",		0,   NO,  OPT_SINGLE },
	{ "skip_encoding_btf_vars",		0,   NO,  OPT_SINGLE },
	{ "skip_missing",			0,   NO,  OPT_OTHER },
	{ "sort",				0,   NO,  OPT_OTHER },
	{ "structs",				0,   NO,  OPT_OTHER },
	{ "supported_btf_features",		0,   NO,  OPT_LIST_FEATURES },
	{ "suppress_aligned_attribute",		0,   NO,  OPT_OTHER },
	{ "suppress_force_paddings",		0,   NO,  OPT_OTHER },
	{ "suppress_packed",			0,   NO,  OPT_OTHER },
	{ "unions",				0,   NO,  OPT_OTHER },
	{ "verbose",				'V', NO,  OPT_VERBOSE },
	{ "with_embedded_flexible_array",	0,   NO,  OPT_OTHER },
	{ "with_flexible_array",		0,   NO,  OPT_OTHER },
	{ "word_size",				'w', REQ, OPT_OTHER },
	/* argp's own */
	{ "HANG",				0,   OPT, OPT_OTHER },
	{ "program-name",			0,   REQ, OPT_OTHER },
	{ "usage",				0,   NO,  OPT_LEAVES_NOW },
	{ "version",				0,   NO,  OPT_LEAVES_NOW },
};

#define NR_OPTS (sizeof(opts) / sizeof(opts[0]))

/* What an ambiguous beginning stands for where all that fit are of one style. */
static const struct pahole_opt_desc some_opt[] = {
	[STYLE_NO] = { NULL, 0, STYLE_NO, OPT_OTHER },
	[STYLE_REQUIRED] = { NULL, 0, STYLE_REQUIRED, OPT_OTHER },
	[STYLE_OPTIONAL] = { NULL, 0, STYLE_OPTIONAL, OPT_OTHER },
};

const struct pahole_opt_desc *pahole_opt__by_name(const char *name, size_t len)
{
	const struct pahole_opt_desc *found = NULL;
	size_t i;

	for (i = 0; i < NR_OPTS; i++)
		if (!strncmp(opts[i].name, name, len) && !opts[i].name[len])
			return &opts[i];
	for (i = 0; i < NR_OPTS; i++) {
		if (strncmp(opts[i].name, name, len))
			continue;
		if (found && found->style != opts[i].style)
			return NULL;
		found = found ? &some_opt[opts[i].style] : &opts[i];
	}
	return found;
}

const struct pahole_opt_desc *pahole_opt__by_letter(char letter)
{
	size_t i;

	for (i = 0; i < NR_OPTS; i++)
		if (opts[i].letter == letter)
			return &opts[i];
	return NULL;
}
