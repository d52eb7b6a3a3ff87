package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.bytes.Duplex;
import dev.blitz.io.channel.Channel;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import guest.Forgetful;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In development a future that is made and never polled is told, once for each line. */
@Strict
class ForgottenFutureTest {
  private final List<String> told = Collections.synchronizedList(new ArrayList<>());
  private final List<Throwable> causes = Collections.synchronizedList(new ArrayList<>());
  private final Channel<String> channel = Channel.bounded(4);

  private BlitzRuntime runtime(boolean development) {
    return BlitzRuntime.builder()
        .workers(1)
        .development(development)
        .uncaughtHandler((what, t) -> {
          told.add(what);
          causes.add(t);
        })
        .build();
  }

  @Test
  void forgottenAwaits_areToldAtTheEnd_onceForEachLine() throws Exception {
    try (var rt = runtime(true);
        var duplex = Duplex.ofCapacity(8)) {
      rt.run(() -> {
        for (int i = 0; i < 100; i++) {
          Forgetful.sleep();
          Forgetful.send(channel);
          Forgetful.write(duplex.near());
        }
      });
    }
    assertThat(told).hasSize(3);
    assertThat(told)
        .anyMatch(what -> what.contains("guest.Forgetful.sleep(Forgetful.java:"))
        .anyMatch(what -> what.contains("guest.Forgetful.send(Forgetful.java:"))
        .anyMatch(what -> what.contains("guest.Forgetful.write(Forgetful.java:"));
    assertThat(causes).allMatch(t -> t.getMessage().contains("is an await() missing?"));
    assertThat(causes).allMatch(t -> t.getStackTrace()[0].getClassName().equals("guest.Forgetful"));
  }

  @Test
  void forgottenReadsConnectsFilesAndPrograms_areToldToo() throws Exception {
    Path path = Path.of("nothing");
    try (var rt = runtime(true);
        var duplex = Duplex.ofCapacity(8)) {
      rt.run(() -> {
        Forgetful.read(duplex.near());
        Forgetful.connect();
        Forgetful.look(path);
        Forgetful.open(path);
        Forgetful.run();
      });
    }
    assertThat(told)
        .hasSize(5)
        .anyMatch(what -> what.contains("guest.Forgetful.read(Forgetful.java:"))
        .anyMatch(what -> what.contains("guest.Forgetful.connect(Forgetful.java:"))
        .anyMatch(what -> what.contains("guest.Forgetful.look(Forgetful.java:"))
        .anyMatch(what -> what.contains("guest.Forgetful.open(Forgetful.java:"))
        .anyMatch(what -> what.contains("guest.Forgetful.run(Forgetful.java:"));
    assertThat(causes).allMatch(t -> t.getMessage().contains("is an await() missing?"));
  }

  @Test
  void oneThatIsGone_isToldWhileTheRuntimeRuns() throws Exception {
    try (var rt = runtime(true)) {
      rt.run(Forgetful::sleep);
      Await.untilCollected(() -> told.size() == 1, "the handler to be told");
      rt.run(Forgetful::sleep);
    }
    assertThat(told).as("and not again").hasSize(1);
  }

  @Test
  void futuresThatAreAwaitedOrDropped_areNot() throws Exception {
    try (var rt = runtime(true)) {
      for (int i = 0; i < 3; i++) {
        rt.run(() -> Forgetful.careful(channel));
      }
    }
    assertThat(told).isEmpty();
  }

  @Test
  void otherRuntimes_doNotLook() throws Exception {
    try (var looks = runtime(true);
        var rt = runtime(false)) {
      rt.run(Forgetful::sleep);
      assertThat(looks.close(Timeouts.MEDIUM).clean()).isTrue();
    }
    assertThat(told).isEmpty();
  }
}
