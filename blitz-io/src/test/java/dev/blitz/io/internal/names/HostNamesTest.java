package dev.blitz.io.internal.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class HostNamesTest {
  private static final NameSettings SETTINGS =
      new NameSettings(host -> List.of(), Duration.ZERO, Duration.ZERO);

  @Test
  void ask_whenTheCallCannotBeMade_leavesNoQuestionForTheNext() {
    var calls = new AtomicInteger();
    var names =
        new HostNames(
            SETTINGS,
            () -> 0,
            (call, owned) -> {
              calls.incrementAndGet();
              throw new InternalError("no memory, say"); // which JUnit would end at
            });
    assertThatThrownBy(() -> names.ask("host")).isInstanceOf(InternalError.class);
    assertThatThrownBy(() -> names.ask("host")).isInstanceOf(InternalError.class);
    assertThat(calls).hasValue(2);
  }
}
