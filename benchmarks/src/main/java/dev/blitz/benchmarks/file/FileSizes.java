package dev.blitz.benchmarks.file;

/**
 * How much one run of each workload does.
 *
 * @param reads of a page each, in one run
 * @param fileBytes of the file that is read at random, copied, and read by lines
 * @param smallFiles files that are read as a whole
 */
record FileSizes(int reads, int fileBytes, int smallFiles) {
  /** Those that are measured. */
  static final FileSizes FULL = new FileSizes(4_096, 1 << 30, 10_000);

  static final int PAGE = 4_096;
  static final int SMALL_BYTES = 1_024;
  static final int DEPTH = 64;
  static final int WORKERS = 2;
  static final int COPY_BUFFER = 256 << 10;
}
