package dev.blitz.io.net;

import dev.blitz.io.TestBackends;
import dev.blitz.testkit.OnceIsEnough;
import org.junit.jupiter.api.Nested;

/** What kqueue tells, made of epoll: on machines that have no kqueue. */
@OnceIsEnough
class KqueueOnEpollSocketTest {
  private static final String BACKEND = TestBackends.KQUEUE_ON_EPOLL;

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
  }

  @Nested
  class Unix extends UnixNativeConformance {
    Unix() {
      super(BACKEND);
    }
  }
}
