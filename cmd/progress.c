// SPDX-License-Identifier: GPL-2.0-only
/* progress.c - one line on a terminal that says how far long work has come */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define DRAW_MS	100		/* milliseconds between two drawings */
#define WIDTH	80		/* columns where the terminal does not say */

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void progress__begin(struct progress *p, size_t total, bool quiet)
{
	*p = (struct progress){
		.shown = !quiet && isatty(STDERR_FILENO),
		.total = total,
	};
}

static int columns(void)
{
	struct winsize ws;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) || !ws.ws_col)
		return WIDTH;
	return ws.ws_col;
}

void progress__step(struct progress *p, const char *name)
{
	const char *base = strrchr(name, '/');
	char line[256];
	uint64_t now;
	int room;

	p->done++;
	if (!p->shown)
		return;
	now = now_ms();
	if (now < p->next_ms)
		return;
	p->next_ms = now + DRAW_MS;
	/* a line that wraps could not be taken away */
	room = columns() - 1;
	snprintf(line, sizeof(line), "%zu of %zu, %zu %%  %s", p->done, p->total,
		 p->total ? p->done * 100 / p->total : 100, base ? base + 1 : name);
	fprintf(stderr, "\r\033[K%.*s", room > 0 ? room : 0, line);
	fflush(stderr);
}

void progress__end(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}
