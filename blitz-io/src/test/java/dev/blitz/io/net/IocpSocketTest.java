package dev.blitz.io.net;

import dev.blitz.testkit.OnceIsEnough;
import org.junit.jupiter.api.Nested;

/** The JDK's asynchronous channels for TCP, its selector for the rest. */
@OnceIsEnough
class IocpSocketTest {
  private static final String BACKEND = "iocp";

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
  class Udp extends UdpConformance {
    Udp() {
      super(BACKEND);
    }

    @Override
    boolean isOfTheJdk() {
      return true;
    }
  }

  @Nested
  class Unix extends UnixConformance {
    Unix() {
      super(BACKEND);
    }
  }
}
