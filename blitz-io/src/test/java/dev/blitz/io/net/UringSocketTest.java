package dev.blitz.io.net;

import org.junit.jupiter.api.Nested;

class UringSocketTest {
  private static final String BACKEND = "io_uring";

  @Nested
  class Bytes extends BytesConformance {
    Bytes() {
      super(BACKEND);
    }
  }

  @Nested
  class Ends extends EndsConformance {
    Ends() {
      super(BACKEND);
    }
  }

  @Nested
  class Drops extends DropConformance {
    Drops() {
      super(BACKEND);
    }
  }

  @Nested
  class Connects extends ConnectConformance {
    Connects() {
      super(BACKEND);
    }
  }

  @Nested
  class Crowds extends CrowdConformance {
    Crowds() {
      super(BACKEND);
    }
  }

  @Nested
  class Edges extends EdgesConformance {
    Edges() {
      super(BACKEND);
    }

    /** The kernel's receive may find "nothing there" at that place while it has work to do. */
    @Override
    boolean waitsAtUrgentBytes() {
      return true;
    }
  }

  @Nested
  class Accepts extends AcceptConformance {
    Accepts() {
      super(BACKEND);
    }
  }

  @Nested
  class Batches extends BatchConformance {
    Batches() {
      super(BACKEND);
    }
  }

  @Nested
  class Udp extends UdpConformance {
    Udp() {
      super(BACKEND);
    }
  }

  @Nested
  class Unix extends UnixNativeConformance {
    Unix() {
      super(BACKEND);
    }
  }
}
