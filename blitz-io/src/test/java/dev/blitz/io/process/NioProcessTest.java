package dev.blitz.io.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.services.Services;
import org.junit.jupiter.api.Test;

/** The backend that takes over no descriptors starts children by the JDK's ProcessBuilder. */
class NioProcessTest extends ProcessWorld {
  NioProcessTest() {
    super(new JdkSpawning(), "nio");
  }

  @Test
  void aChild_isStartedByTheJdk_andItsOutputIsRead() throws Exception {
    Spawning chosen =
        runtime.run(Futures.lazy(() -> Spawning.choose(Services.required("a child"))));
    assertThat(chosen).isInstanceOf(JdkSpawning.class);
    Output output = runtime.run(Command.of("/bin/sh", "-c", "echo said").output());
    assertThat(output.orThrow().text()).isEqualTo("said\n");
  }
}
