package dev.blitz.io.fs;

import dev.blitz.io.TestBackends;
import dev.blitz.testkit.OnceIsEnough;
import org.junit.jupiter.api.Nested;

/** Files by the means of the JDK, on the blocking lane. */
@OnceIsEnough
class JdkFileTest {
  private static final String BACKEND = TestBackends.JDK_FILES;

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
  class Commands extends CommandConformance {
    Commands() {
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
  class Fifos extends FifoConformance {
    Fifos() {
      super(BACKEND);
    }
  }

  @Nested
  class Transfers extends SendFileConformance {
    Transfers() {
      super(BACKEND);
    }
  }

  @Nested
  class Direct extends DirectConformance {
    Direct() {
      super(BACKEND);
    }
  }

  @Nested
  class Ranges extends RangeConformance {
    Ranges() {
      super(BACKEND);
    }
  }

  @Nested
  class Watches extends WatchConformance {
    Watches() {
      super(BACKEND);
    }
  }

  @Nested
  class Locks extends LockConformance {
    Locks() {
      super(BACKEND);
    }
  }

  @Nested
  class Maps extends MapConformance {
    Maps() {
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
