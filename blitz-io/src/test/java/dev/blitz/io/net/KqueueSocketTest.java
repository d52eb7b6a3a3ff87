package dev.blitz.io.net;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The kernel's own; see {@link KqueueOnEpollSocketTest} for other machines. */
@EnabledOnOs(
    value = {OS.MAC, OS.FREEBSD},
    disabledReason = "only macOS and FreeBSD have kqueue in their kernel")
class KqueueSocketTest {
  private static final String BACKEND = "kqueue";

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
