// SPDX-License-Identifier: GPL-2.0-only
/* test_unpack.c - compressed files opened: gzip(1), xz(1) and zstd(1) wrote them */
#include "elf_util.h"

#include <elf.h>
#include <sys/mman.h>
#include <zlib.h>

#include "../../lib/elf_file.h"
#include "../../lib/elf_write.h"
#include "../../lib/gzip_out.h"
#include "../../lib/locs_name.h"
#include "../../lib/unpack.h"

static const struct {
	const char *name;
	const char *ext;
	size_t magic;		/* bytes that it takes to be recognised */
} kinds[] = {
	{ "gzip", "gz", 2 },
	{ "xz", "xz", 6 },
	{ "zstd", "zst", 4 },
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/*
 * small: 100 lines; big: more than the pieces that are read at once, the half of it random;
 * zeros: 64 MiB; none: nothing. Each also compressed.
 */
static int build(void **state)
{
	if (make_dir(state))
		return -1;
	must(*state, "seq 1 100 > small; : > none; seq 1 100000 > big;"
		     "head -c 700000 /dev/urandom >> big; head -c 67108864 /dev/zero > zeros;"
		     "echo 'int g = 3; int main(void) { return g; }' > a.c; gcc -g a.c -o exe;"
		     "for f in small none big exe; do gzip -k $f; xz -k $f; zstd -qk $f; done;"
		     "gzip -1k zeros; xz -0k zeros; zstd -qk zeros; rm zeros");
	return 0;
}

/* dir/NAME.EXT of a kind */
static char *packed_path(const char *dir, const char *name, size_t kind)
{
	char *path = NULL;

	assert_true(asprintf(&path, "%s/%s.%s", dir, name, kinds[kind].ext) > 0);
	return path;
}

static int open_at(const char *path, struct plain_file *f, char *text)
{
	struct btf_locs_err err = { "" };
	int ret = file__open_plain(path, f, &err);

	strcpy(text, err.text);
	assert_true(!ret || *text);
	return ret;
}

static struct bytes plain_bytes(const struct plain_file *f)
{
	struct bytes b = { malloc(f->size + 1), f->size };

	assert_non_null(b.p);
	assert_int_equal(read(f->fd, b.p, f->size + 1), f->size);
	return b;
}

/* The file at @path unpacks to @want. */
static void assert_unpacks(const char *path, const char *kind, struct bytes want)
{
	struct plain_file f;
	struct bytes got;
	char text[256];

	if (open_at(path, &f, text))
		fail_msg("%s: %s", path, text);
	if (kind)
		assert_string_equal(f.packed, kind);
	else
		assert_null(f.packed);
	assert_int_equal(f.size, want.n);
	got = plain_bytes(&f);
	assert_memory_equal(got.p, want.p, want.n);
	free(got.p);
	close(f.fd);
}

static void assert_refused(const char *path, int code, const char *line)
{
	struct plain_file f = { .fd = 12345, .size = 54321 };
	char text[256];

	assert_int_equal(open_at(path, &f, text), code);
	if (line)
		assert_string_equal(text, line);
	assert_true(f.fd == 12345 && f.size == 54321 && !f.packed);
}

static void test_good(void **state)
{
	static const char *const names[] = { "small", "none", "big" };
	size_t i, k;

	for (i = 0; i < 3; i++) {
		char *path = in_dir(*state, names[i]);
		struct bytes want = slurp(path);

		assert_unpacks(path, NULL, want);
		assert_null(file__compression(path));
		free(path);
		for (k = 0; k < NR_KINDS; k++) {
			path = packed_path(*state, names[i], k);
			assert_unpacks(path, kinds[k].name, want);
			assert_string_equal(file__compression(path), kinds[k].name);
			free(path);
		}
		free(want.p);
	}
}

/* The name says nothing. */
static void test_names(void **state)
{
	char *small = in_dir(*state, "small"), *path;
	struct bytes want = slurp(small);

	must(*state, "cp small.xz plain; cp small s.zst; cp small.zst s.xz");
	path = in_dir(*state, "plain");
	assert_unpacks(path, "xz", want);
	free(path);
	path = in_dir(*state, "s.zst");
	assert_unpacks(path, NULL, want);
	free(path);
	path = in_dir(*state, "s.xz");
	assert_unpacks(path, "zstd", want);
	free(path);
	free(small);
	free(want.p);
}

/* Members, streams, frames one behind the other, empty ones too. */
static void test_several(void **state)
{
	char *path, *twice, line[256];
	struct bytes want;
	size_t k;

	must(*state, "cat small big small > twice; printf '\\0\\0\\0\\0' > four;"
		     "printf '\\125\\052\\115\\030\\003\\0\\0\\0abc' > skip");
	twice = in_dir(*state, "twice");
	want = slurp(twice);
	for (k = 0; k < NR_KINDS; k++) {
		snprintf(line, sizeof(line), "cat small.%1$s none.%1$s big.%1$s small.%1$s "
			 "none.%1$s > twice.%1$s", kinds[k].ext);
		must(*state, line);
		path = packed_path(*state, "twice", k);
		assert_unpacks(path, kinds[k].name, want);
		free(path);
	}
	/* what the formats allow between: padding by four, a frame to be skipped */
	must(*state, "cat small.xz four four big.xz small.xz four > pad.xz;"
		     "cat skip small.zst skip big.zst small.zst skip > skip.zst");
	path = in_dir(*state, "pad.xz");
	assert_unpacks(path, "xz", want);
	free(path);
	path = in_dir(*state, "skip.zst");
	assert_unpacks(path, "zstd", want);
	free(path);
	free(twice);
	free(want.p);
}

/*
 * A file in memory of these bytes, thousands of which are quickly written: its path. @fd: -1 at
 * first.
 */
static const char *mem_file(int *fd, const void *p, size_t n)
{
	static char path[64];

	if (*fd < 0)
		*fd = memfd_create("test", 0);
	assert_true(*fd >= 0);
	assert_int_equal(ftruncate(*fd, 0), 0);
	assert_int_equal(pwrite(*fd, p, n, 0), n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", *fd);
	return path;
}

/* A file cut at any length is refused; what is shorter than the magic is another file. */
static void test_truncated(void **state)
{
	char *path, line[256];
	int fd = -1;
	struct bytes b;
	size_t k, n;

	for (k = 0; k < NR_KINDS; k++) {
		path = packed_path(*state, "small", k);
		b = slurp(path);
		snprintf(line, sizeof(line), "malformed: its %s data ends early", kinds[k].name);
		for (n = 0; n < b.n; n++) {
			if (n < kinds[k].magic)
				assert_unpacks(mem_file(&fd, b.p, n), NULL,
					       (struct bytes) { b.p, n });
			else
				assert_refused(mem_file(&fd, b.p, n), -EBADMSG, line);
		}
		free(b.p);
		free(path);
		path = packed_path(*state, "big", k);
		b = slurp(path);
		for (n = kinds[k].magic; n < b.n; n += 29989)
			assert_refused(mem_file(&fd, b.p, n), -EBADMSG, line);
		free(b.p);
		free(path);
	}
	close(fd);
}

/* No changed bit makes other bytes of a file: it is refused, or the bit said nothing. */
static void test_corrupt(void **state)
{
	char *small = in_dir(*state, "small"), *path, text[256];
	const char *bad;
	struct bytes want = slurp(small), b;
	size_t k, i, refused;
	struct plain_file f;
	int ret, fd = -1;

	for (k = 0; k < NR_KINDS; k++) {
		path = packed_path(*state, "small", k);
		b = slurp(path);
		refused = 0;
		for (i = 8 * kinds[k].magic; i < 8 * b.n; i++) {
			b.p[i / 8] ^= 1 << i % 8;
			bad = mem_file(&fd, b.p, b.n);
			b.p[i / 8] ^= 1 << i % 8;
			ret = open_at(bad, &f, text);
			if (!ret) {
				close(f.fd);
				assert_unpacks(bad, kinds[k].name, want);
				continue;
			}
			assert_true(ret == -EBADMSG || ret == -EOPNOTSUPP || ret == -EFBIG);
			refused++;
		}
		/* gzip's header has 7 bytes and a name that nothing checks */
		assert_true(refused > 8 * (b.n - 40));
		free(b.p);
		free(path);
	}
	free(want.p);
	free(small);
	close(fd);
}

static void test_garbage(void **state)
{
	char *path, line[256];
	size_t k;

	for (k = 0; k < NR_KINDS; k++) {
		snprintf(line, sizeof(line), "cat small.%1$s small > garbage.%1$s;"
			 "(cat small.%1$s; echo) > one.%1$s; (cat none.%1$s; echo x) > nil.%1$s",
			 kinds[k].ext);
		must(*state, line);
		snprintf(line, sizeof(line), kinds[k].magic == 6 ?
			 "malformed: its %s data is damaged" :
			 "malformed: something else follows its %s data", kinds[k].name);
		path = packed_path(*state, "garbage", k);
		assert_refused(path, -EBADMSG, line);
		free(path);
		path = packed_path(*state, "one", k);
		assert_refused(path, -EBADMSG, NULL);
		free(path);
		path = packed_path(*state, "nil", k);
		assert_refused(path, -EBADMSG, NULL);
		free(path);
	}
	/* xz padding goes by four */
	must(*state, "(cat small.xz; printf '\\0\\0\\0') > pad3.xz");
	path = in_dir(*state, "pad3.xz");
	assert_refused(path, -EBADMSG, NULL);
	free(path);
}

/* What unpacks to more than is allowed is refused when that is seen. */
static void test_limit(void **state)
{
	struct btf_locs_err err;
	struct plain_file f;
	struct bytes b;
	size_t k;
	char *path;
	int fd;

	for (k = 0; k < NR_KINDS; k++) {
		path = packed_path(*state, "zeros", k);
		b = slurp(path);
		assert_true(b.n < 400000);
		free(b.p);
		fd = open(path, O_RDONLY);
		err.text[0] = 0;
		assert_int_equal(fd__unpack(fd, kinds[k].name, (64 << 20) - 1, &f, &err), -EFBIG);
		assert_string_equal(err.text, "unpacks to more than 67108863 bytes");
		assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
		assert_int_equal(fd__unpack(fd, kinds[k].name, 1, &f, &err), -EFBIG);
		assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
		assert_int_equal(fd__unpack(fd, kinds[k].name, 64 << 20, &f, &err), 0);
		assert_int_equal(f.size, 64 << 20);
		close(f.fd);
		close(fd);
		free(path);
	}
}

/* A header that asks for gigabytes of window. */
static void test_memory(void **state)
{
	/* RFC 8878, 3.1.1.1: no single segment; window descriptor: exponent 31 */
	static const uint8_t zstd[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xff, 1, 0, 0 };
	char *small = in_dir(*state, "small.xz"), *path = in_dir(*state, "greedy");
	struct bytes b = slurp(small);
	uint32_t crc;
	size_t len;

	/* .xz format, 3.1: size, flags, LZMA2 (0x21), one byte: dictionary of 4 GiB - 1 */
	len = (b.p[12] + 1) * 4;
	assert_true(b.p[13] == 0 && b.p[14] == 0x21 && b.p[15] == 1);
	b.p[16] = 40;
	crc = crc32(0, b.p + 12, len - 4);
	memcpy(b.p + 12 + len - 4, &crc, 4);
	spit(path, b.p, b.n);
	assert_refused(path, -EFBIG, "needs too much memory to be unpacked: xz -d it first");
	spit(path, zstd, sizeof(zstd));
	assert_refused(path, -EFBIG, "needs too much memory to be unpacked: zstd -d it first");
	free(b.p);
	free(small);
	free(path);
}

static void test_not_files(void **state)
{
	char *path = in_dir(*state, "fifo");

	assert_int_equal(mkfifo(path, 0600), 0);
	assert_refused(path, -EINVAL, "is not a regular file");
	assert_null(file__compression(path));
	free(path);
	assert_refused(*state, -EISDIR, "is a directory");
	path = in_dir(*state, "absent");
	assert_refused(path, -ENOENT, "No such file or directory");
	assert_null(file__compression(path));
	free(path);
	assert_refused("/dev/null", -EINVAL, "is not a regular file");
}

static void test_sealed(void **state)
{
	char *path = in_dir(*state, "small.gz"), text[256];
	struct plain_file f;

	assert_int_equal(open_at(path, &f, text), 0);
	assert_int_equal(pwrite(f.fd, "x", 1, 0), -1);
	assert_int_equal(errno, EPERM);
	assert_int_equal(ftruncate(f.fd, 0), -1);
	assert_true(fcntl(f.fd, F_GETFD) & FD_CLOEXEC);
	close(f.fd);
	free(path);
}

/* An ELF file: the same sections; nothing is written into it. */
static void test_elf(void **state)
{
	char *path, text[256];
	struct btf_locs_err err;
	struct elf_file *f;
	struct elf_sec sec;
	struct bytes was;
	size_t k;

	for (k = 0; k < NR_KINDS; k++) {
		path = packed_path(*state, "exe", k);
		was = slurp(path);
		assert_int_equal(elf_file__open(path, &f, &err), 0);
		assert_string_equal(elf_file__packed(f), kinds[k].name);
		assert_int_equal(elf_file__sec_by_name(f, ".debug_info", &sec), 0);
		assert_int_equal(elf_file__check_dwarf(f, &err), 0);
		elf_file__close(f);
		err.text[0] = 0;
		assert_int_equal(elf_write__section(path, ".new", "data", 4, &err), -EOPNOTSUPP);
		snprintf(text, sizeof(text), "is compressed with %s, a section cannot be written "
			 "into it: unpack it (%s -d), encode, compress it again; or -o FILE",
			 kinds[k].name, kinds[k].name);
		assert_string_equal(err.text, text);
		assert_file_is(path, was);
		free(was.p);
		free(path);
	}
	path = in_dir(*state, "exe");
	assert_int_equal(elf_file__open(path, &f, &err), 0);
	assert_null(elf_file__packed(f));
	elf_file__close(f);
	free(path);
	/* what is no ELF file when it is unpacked */
	path = in_dir(*state, "none.gz");
	assert_int_equal(elf_file__open(path, &f, &err), -ENOEXEC);
	assert_string_equal(err.text, "not an ELF file");
	free(path);
}

/* gzip(1) reads what we write; the header says nothing of when, where or what. */
static void test_pack(void **state)
{
	static const char *const names[] = { "small", "none", "big" };
	static const uint8_t header[10] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255 };
	char *out = in_dir(*state, "ours.gz");
	struct wbuf packed, again;
	struct bytes b;
	char line[256], *path;
	size_t i;

	for (i = 0; i < 3; i++) {
		path = in_dir(*state, names[i]);
		b = slurp(path);
		wbuf__init(&packed, false);
		wbuf__init(&again, true);
		assert_int_equal(gzip__pack(b.p, b.n, &packed), 0);
		assert_int_equal(gzip__pack(b.p, b.n, &again), 0);
		assert_int_equal(packed.len, again.len);
		assert_memory_equal(packed.data, again.data, packed.len);
		assert_memory_equal(packed.data, header, sizeof(header));
		spit(out, packed.data, packed.len);
		snprintf(line, sizeof(line), "gzip -dc ours.gz | cmp - %s", names[i]);
		must(*state, line);
		assert_unpacks(out, "gzip", b);
		wbuf__free(&packed);
		wbuf__free(&again);
		free(b.p);
		free(path);
	}
	free(out);
}

static void test_beside(void **state)
{
	static const struct {
		const char *path, *beside;
	} cases[] = {
		{ "a/vmlinux.func_info", "a/vmlinux" },
		{ "vmlinux.func_info.gz", "vmlinux" },
		{ "x.ko.func_info.xz", "x.ko" },
		{ "x.func_info.zst", "x" },
		{ ".func_info", NULL },
		{ ".func_info.gz", NULL },
		{ "x.func_info.bz2", NULL },
		{ "x.func_info.gz.gz", NULL },
		{ "x.gz", NULL },
		{ ".gz", NULL },
		{ "", NULL },
	};
	char *beside;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		beside = (char *)"untouched";
		assert_int_equal(locs_path__beside(cases[i].path, &beside), 0);
		if (cases[i].beside)
			assert_string_equal(beside, cases[i].beside);
		else
			assert_null(beside);
		free(beside);
	}
	assert_true(locs_path__wants_gzip("x.func_info.gz"));
	assert_false(locs_path__wants_gzip(".gz"));
	assert_false(locs_path__wants_gzip("x.func_info"));
	assert_false(locs_path__wants_gzip("x.gz.func_info"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_corrupt),
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_not_files),
		cmocka_unit_test(test_sealed),
		cmocka_unit_test(test_elf),
		cmocka_unit_test(test_pack),
		cmocka_unit_test(test_beside),
	};

	return cmocka_run_group_tests(tests, build, remove_dir);
}
