package dev.blitz.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@Strict
class LeakProbeTest {

  static final List<String> TIMERS = new CopyOnWriteArrayList<>();
  private static final List<String> BUFFERS = new CopyOnWriteArrayList<>();

  /** Found as a service. */
  public static final class TimerProbe implements LeakProbe {
    @Override
    public String name() {
      return "timer";
    }

    @Override
    public List<String> live() {
      return TIMERS;
    }
  }

  private static final class BufferProbe implements LeakProbe {
    @Override
    public String name() {
      return "native buffer";
    }

    @Override
    public List<String> live() {
      return BUFFERS;
    }
  }

  @AfterEach
  void clearAway() {
    TIMERS.clear();
    BUFFERS.clear();
  }

  @LeakChecked
  static class ServiceFixture {
    @Test
    void leaks() {
      TIMERS.add("#7 due in 3 s");
    }
  }

  @Test
  void service_takesPart() {
    TIMERS.add("#1 of someone else");

    assertThat(Fixtures.onlyFailure(ServiceFixture.class))
        .hasMessage("ServiceFixture.leaks left behind:\n    timer #7 due in 3 s");
  }

  @LeakChecked
  static class EqualItemsFixture {
    @Test
    void leaks() {
      TIMERS.add("timer");
    }
  }

  @Test
  void equalItems_areCounted() {
    TIMERS.add("timer");

    assertThat(Fixtures.onlyFailure(EqualItemsFixture.class))
        .hasMessage("EqualItemsFixture.leaks left behind:\n    timer timer");
  }

  @LeakChecked
  static class BufferFixture {
    @Test
    void leaks() {
      BUFFERS.add("4096 bytes at 0x1000");
    }
  }

  @Test
  void registered_takesPartUntilClosed() {
    try (var registration = LeakProbe.register(new BufferProbe())) {
      assertThat(registration).isNotNull();
      assertThat(Fixtures.onlyFailure(BufferFixture.class))
          .hasMessage("BufferFixture.leaks left behind:\n    native buffer 4096 bytes at 0x1000");
    }
    assertThat(Fixtures.failures(Fixtures.run(BufferFixture.class))).isEmpty();
  }

  @LeakChecked
  static class RegisteringFixture {
    static LeakProbe.Registration registration = () -> {};

    @Test
    void registersLate() {
      BUFFERS.add("old");
      registration = LeakProbe.register(new BufferProbe());
      BUFFERS.add("new");
    }
  }

  @Test
  void registeredDuringTest_checksWhatCameLater() {
    try {
      assertThat(Fixtures.onlyFailure(RegisteringFixture.class))
          .hasMessage("RegisteringFixture.registersLate left behind:\n    native buffer new");
    } finally {
      RegisteringFixture.registration.close();
    }
  }
}
