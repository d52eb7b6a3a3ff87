package dev.blitz.io.internal.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Strict
class PollersStartTest {

  @Test
  void aStartThatFails_isMadeUpForByTheNext() {
    var tries = new AtomicInteger();
    var pollers =
        new Pollers(t -> {
          if (tries.incrementAndGet() <= 2) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          t.start();
        });
    pollers.ensureStarted();
    assertThat(pollers.isStarted()).isFalse();
    pollers.ensureStarted();
    assertThat(pollers.isStarted()).isFalse();
    pollers.ensureStarted();
    assertThat(pollers.isStarted()).isTrue();
    pollers.ensureStarted();
    assertThat(tries).hasValue(3);
  }
}
