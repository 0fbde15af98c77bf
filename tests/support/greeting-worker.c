/*
 * A worker that implements the protocol without a library. It first prints its first argument, if that is not empty, and multiplies
 * dense matrices of binary32 with sequential sums.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long number(const char *line, const char *key) {
  const char *at = strstr(line, key);
  return at == NULL ? 0 : strtol(at + strlen(key), NULL, 10);
}

/* The entries of a .npy file of so many bytes. */
static float *entries(long bytes) {
  char *file = malloc(bytes);
  if (file == NULL || fread(file, 1, bytes, stdin) != (size_t)bytes) exit(1);
  unsigned char *header = (unsigned char *)file + 8;
  return (float *)(file + 10 + header[0] + 256 * header[1]);
}

int main(int count, char **words) {
  if (count > 1 && words[1][0] != '\0') printf("%s\n", words[1]);
  fflush(stdout);
  static char line[65536];
  while (fgets(line, sizeof line, stdin) != NULL) {
    long m = number(line, "\"m\":"), k = number(line, "\"k\":"), n = number(line, "\"n\":");
    /* The files come behind "problem", in which "a" and "b" are records. */
    const char *files = strstr(line, "},\"a\":");
    while (files != NULL && strstr(files + 1, "},\"a\":") != NULL) files = strstr(files + 1, "},\"a\":");
    float *a = entries(number(files, "\"a\":")), *b = entries(number(files, "\"b\":"));
    char head[128];
    memset(head, ' ', sizeof head);
    memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10);
    int length = sprintf(head + 10, "{'descr': '<f4', 'fortran_order': False, 'shape': (%ld, %ld), }", m, n);
    head[10 + length] = ' ';
    head[127] = '\n';
    printf("{\"id\":%ld,\"d\":%ld}\n", number(line, "\"id\":"), 128 + 4 * m * n);
    fwrite(head, 1, 128, stdout);
    for (long i = 0; i < m; i++)
      for (long j = 0; j < n; j++) {
        float sum = 0;
        for (long p = 0; p < k; p++) sum += a[i * k + p] * b[p * n + j];
        fwrite(&sum, 4, 1, stdout);
      }
    fflush(stdout);
  }
  return 0;
}
