package dev.blitz.io.fs;

import org.junit.jupiter.api.Nested;

/** Where files meet a backend that takes over no descriptors: watching, and sending to a socket. */
class NioFileTest {
  private static final String BACKEND = "nio";

  @Nested
  class Transfers extends SendFileConformance {
    Transfers() {
      super(BACKEND);
    }
  }

  @Nested
  class Watches extends WatchConformance {
    Watches() {
      super(BACKEND);
    }
  }
}
