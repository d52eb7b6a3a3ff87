package dev.blitz.io.internal.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.DeepCalls;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
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

  /** All who asked for it later would wait for ever. */
  @Test
  void ask_atTheEndOfTheStack_leavesNoQuestionWithoutACall() throws Exception {
    List<String> hosts = IntStream.range(0, 5_000).mapToObj(i -> "host" + i).toList();
    var next = new AtomicInteger();
    Set<Object> called = new HashSet<>();
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      var handle = runtime.spawn(Futures.ready(Done.DONE));
      var names =
          new HostNames(
              SETTINGS,
              () -> 0,
              (call, owned) -> {
                StackRoom.forWake(); // as threads do
                called.add(owned);
                return handle;
              });
      int overflows = 0;
      for (int round = 0; round < 3; round++) {
        overflows +=
            DeepCalls.downToTheEnd(() -> names.ask(hosts.get(next.getAndIncrement())), round);
      }
      for (String host : hosts.subList(0, next.get())) {
        assertThat(called).as("%d overflows, %s", overflows, host).contains(names.ask(host));
      }
      assertThat(handle.await()).isEqualTo(Done.DONE);
    }
  }
}
