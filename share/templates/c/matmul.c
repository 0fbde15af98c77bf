/* C = alpha·op(A)·op(B) + beta·C, as in cblas.h: row-major or column-major, transposed or not, with leading dimensions.
 * Put your own kernel here, or test an existing library: npx gemm-paranoia gate libopenblas.so#cblas_sgemm
 *
 *   cc -O2 -shared -fPIC -o libmatmul.so matmul.c
 */

enum { ROWS = 101, COLUMNS = 102, NO_TRANSPOSE = 111, TRANSPOSE = 112 };

void cblas_sgemm(int layout, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a, int lda,
                 const float *b, int ldb, float beta, float *c, int ldc) {
  /* Strides of rows and columns: long, because a matrix may have more than 2^31 entries. */
  const int by_rows = layout == ROWS;
  const int a_by_rows = by_rows == (trans_a == NO_TRANSPOSE), b_by_rows = by_rows == (trans_b == NO_TRANSPOSE);
  const long a_row = a_by_rows ? lda : 1, a_col = a_by_rows ? 1 : lda;
  const long b_row = b_by_rows ? ldb : 1, b_col = b_by_rows ? 1 : ldb;
  const long c_row = by_rows ? ldc : 1, c_col = by_rows ? 1 : ldc;

  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) {
      float sum = 0;
      /* alpha = 0 must not read A and B; beta = 0 must not read C. */
      for (int p = 0; alpha != 0 && p < k; p++) sum += a[i * a_row + p * a_col] * b[p * b_row + j * b_col];
      float *entry = &c[i * c_row + j * c_col];
      *entry = alpha * sum + (beta == 0 ? 0 : beta * *entry);
    }
  }
}
