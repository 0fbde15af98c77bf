/*
 * Timed product of two matrices by FLINT's fmpz_mat_mul, for comparison with `bench reference`.
 *
 *   flint-product IN OUT THREADS RUNS
 *
 * IN holds, in the byte order of the machine, five int32 (m, k, n, and exponents e and f) and, as doubles, A (m×k) and B
 * (k×n), row-major; entries of A are multiples of 2^e, those of B of 2^f. The seconds of each run are printed, a line each. OUT,
 * unless it is "-", receives the entries of the product in units of 2^(e+f), in hexadecimal, a line each.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <flint/flint.h>
#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>

static void fail(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(1);
}

/* Reads entries, all multiples of 2^exponent, in units of it. */
static void read_matrix(fmpz_mat_t x, FILE *in, int rows, int cols, int exponent) {
    fmpz_mat_init(x, rows, cols);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++) {
            double entry;
            if (fread(&entry, sizeof entry, 1, in) != 1) fail("the input is truncated");
            fmpz_set_d(fmpz_mat_entry(x, i, j), ldexp(entry, -exponent));
        }
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void write_matrix(const fmpz_mat_t x, const char *path) {
    FILE *out = fopen(path, "w");
    if (out == NULL) fail("the output cannot be written");
    for (slong i = 0; i < fmpz_mat_nrows(x); i++) {
        for (slong j = 0; j < fmpz_mat_ncols(x); j++) {
            char *text = fmpz_get_str(NULL, 16, fmpz_mat_entry(x, i, j));
            fprintf(out, "%s\n", text);
            flint_free(text);
        }
    }
    if (fclose(out) != 0) fail("the output cannot be written");
}

int main(int argc, char **argv) {
    int32_t head[5];
    fmpz_mat_t a, b, c;
    if (argc != 5) fail("usage: flint-product IN OUT THREADS RUNS");
    FILE *in = fopen(argv[1], "rb");
    if (in == NULL || fread(head, sizeof head, 1, in) != 1) fail("the input cannot be read");
    read_matrix(a, in, head[0], head[1], head[3]);
    read_matrix(b, in, head[1], head[2], head[4]);
    fclose(in);
    fmpz_mat_init(c, head[0], head[2]);
    flint_set_num_threads(atoi(argv[3]));
    for (int run = 0; run < atoi(argv[4]); run++) {
        double start = now();
        fmpz_mat_mul(c, a, b);
        printf("%.9f\n", now() - start);
    }
    if (strcmp(argv[2], "-") != 0) write_matrix(c, argv[2]);
    fmpz_mat_clear(a);
    fmpz_mat_clear(b);
    fmpz_mat_clear(c);
    flint_cleanup_master();
    return 0;
}
