package dev.blitz.io.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FramesTest {
  private static StackTraceElement frame(String type, String method) {
    return new StackTraceElement(type, method, "File.java", 7);
  }

  private static final StackTraceElement PARK =
      frame("java.util.concurrent.locks.LockSupport", "park");
  private static final StackTraceElement AWAIT = frame("dev.blitz.io.future.Future", "await");
  private static final StackTraceElement INIT = frame("dev.blitz.io.internal.task.X", "<clinit>");
  private static final StackTraceElement USER = frame("com.shop.Cart", "total");
  private static final StackTraceElement OUTER = frame("com.shop.Main", "main");

  @Test
  void theUsersLine_isTheInnermostOutsideTheJdkAndUs() {
    StackTraceElement[] stack = {PARK, AWAIT, USER, OUTER};
    assertThat(Frames.ofUser(stack)).isEqualTo(USER);
    assertThat(Frames.at(stack)).isEqualTo(" at com.shop.Cart.total(File.java:7)");
  }

  @Test
  void withoutOne_theInnermostIsShown() {
    StackTraceElement[] stack = {PARK, AWAIT};
    assertThat(Frames.ofUser(stack)).isNull();
    assertThat(Frames.at(stack)).contains("LockSupport.park");
    assertThat(Frames.at(new StackTraceElement[0])).isEmpty();
  }

  @Test
  void anInitialiserOfOurs_isToldFromCodeTheUserRunsInOne() {
    assertThat(Frames.isOwnInitialiser(new StackTraceElement[] {PARK, INIT, AWAIT, USER})).isTrue();
    assertThat(Frames.isOwnInitialiser(new StackTraceElement[] {PARK, USER, INIT, AWAIT}))
        .isFalse();
    assertThat(Frames.isOwnInitialiser(new StackTraceElement[] {PARK, AWAIT, USER})).isFalse();
  }

  @Test
  void append_writesEveryFrame() {
    var text = new StringBuilder("x");
    Frames.append(text, new StackTraceElement[] {PARK, USER});
    assertThat(text.toString().lines()).hasSize(3).last().asString().contains("Cart.total");
  }
}
