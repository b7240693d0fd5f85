// SPDX-License-Identifier: GPL-2.0-only
/* abi_regs.c - which registers a calling convention passes parameters in */
#include "abi_internal.h"

int abi__arg_index(const struct abi *abi, uint32_t reg)
{
	uint8_t i;

	for (i = 0; i < abi->nr_gprs; i++)
		if (abi->gprs[i] == reg)
			return i;
	return -1;
}

uint32_t abi__stack_reg(const struct abi *abi)
{
	return abi->sp;
}
