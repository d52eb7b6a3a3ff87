package dev.blitz.io.fs;

import org.junit.jupiter.api.Nested;

/** Files by the kernel. */
class UringFileTest {
  private static final String BACKEND = "io_uring";

  @Nested
  class Bytes extends BytesConformance {
    Bytes() {
      super(BACKEND);
    }
  }

  @Nested
  class Names extends NamesConformance {
    Names() {
      super(BACKEND);
    }
  }

  @Nested
  class Whole extends WholeFileConformance {
    Whole() {
      super(BACKEND);
    }
  }

  @Nested
  class Bad extends BadFilesConformance {
    Bad() {
      super(BACKEND);
    }
  }

  @Nested
  class Drops extends FileDropConformance {
    Drops() {
      super(BACKEND);
    }
  }
}
