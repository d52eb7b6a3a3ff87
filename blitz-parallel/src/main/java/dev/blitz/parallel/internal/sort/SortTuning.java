package dev.blitz.parallel.internal.sort;

/** The numbers that shape the sorts, each with its reason. */
public final class SortTuning {
  /**
   * Arrays up to this length are sorted by the thread that asks: longer ones take long enough to
   * pay for waking a worker.
   */
  public static final int ALONE = 1 << 13;

  /** Parts of a merge, a copy or a reversal that are not cut further. */
  public static final int PIECE = 1 << 13;

  /**
   * Longs up to this many are left to the JDK, which sorts few of them well; a radix sort first has
   * its counters to clear.
   */
  static final int RADIX = 1 << 11;

  /** Buckets of a radix sort up to this size are left to one insertion sort over all of them. */
  static final int INSERTION = 24;

  /**
   * Bits of a key that one radix pass looks at. With more, the lines that a scatter writes to no
   * longer fit the first two caches.
   */
  static final int RADIX_BITS = 11;

  /** Runs that are merged; with more of them a radix sort is quicker. */
  static final int RUNS = 16;

  /**
   * Ints in a bucket that the JDK sorts. Larger: it takes more passes over each; smaller: more
   * buckets, and lines that a throw writes to no longer fit the first cache.
   */
  static final int INT_BUCKET = 1 << 12;

  /** The most bits of an int that choose its bucket, for the same reason. */
  static final int INT_BUCKET_BITS = 8;

  /** Ints that are looked at to choose buckets: a bucket is then seldom twice as full as wanted. */
  static final int SAMPLE = 1 << 10;

  /** Values of ints that are counted rather than sorted: their counters fit the second cache. */
  static final int COUNTED_VALUES = 1 << 16;

  /**
   * Values, however far apart, that are counted in a table: so many fill a sixteenth of it, and it
   * fits the first cache.
   */
  static final int FEW_VALUES = 64;

  /**
   * Elements that are looked at to see whether there are few values (at most half as many), or
   * whether they lie close together. Random input then pays for this many loads.
   */
  static final int FEW_SAMPLE = 64;

  /** Natural runs of objects are made this long by insertion. */
  static final int OBJECT_RUN = 24;

  /**
   * When one side of a merge of objects wins this often in a row, it is searched for how far it
   * goes on winning. Smaller: searches in vain on random input; larger: one comparison per element
   * for longer where runs hardly overlap.
   */
  static final int GALLOP = 7;

  private SortTuning() {}
}
