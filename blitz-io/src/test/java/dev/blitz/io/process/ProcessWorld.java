package dev.blitz.io.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.TestBackends;
import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A runtime and a way to start children; none is left. */
@Strict
@LeakChecked(ignoreThreads = "process reaper.*")
abstract class ProcessWorld {
  private final Spawning way;

  /** Null for the one that the runtime chooses. */
  private final @Nullable String backend;

  BlitzRuntime runtime;

  @TempDir Path directory;

  @SuppressWarnings("NullAway.Init") // before each test
  ProcessWorld(Spawning way, @Nullable String backend) {
    this.way = way;
    this.backend = backend;
  }

  final Command command(String program, String... arguments) {
    return Command.of(program, arguments).by(way);
  }

  final Command shell(String script) {
    return command("/bin/sh", "-c", script);
  }

  final BlitzRuntime anotherRuntime() {
    return backend == null ? BlitzRuntime.create() : TestBackends.builder(backend).build();
  }

  @BeforeEach
  void open() {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "a POSIX system");
    if (way instanceof NativeSpawning) {
      assumeTrue(
          NativeAccess.obstacleOnLinux() == null && NativeSpawning.isSupported(), "posix_spawn");
    }
    if (backend != null) {
      var probe = TestBackends.probe(backend);
      assumeTrue(probe.available(), probe::toString);
    }
    runtime = anotherRuntime();
  }

  @AfterEach
  void close() {
    if (runtime != null) {
      runtime.close();
    }
    assertNoChildIsLeft();
  }

  /** Neither alive nor a zombie: the system still knows both. */
  static void assertNoChildIsLeft() {
    Await.until(() -> ProcessHandle.current().children().findAny().isEmpty(), "no child is left");
  }
}
