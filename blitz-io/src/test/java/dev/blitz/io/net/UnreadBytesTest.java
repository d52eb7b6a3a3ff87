package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Peers that send more than is read do not fill the heap, and hold nobody up. */
@Strict
@OnceIsEnough
class UnreadBytesTest {

  static List<String> backends() {
    return DescriptorLimitTest.backends();
  }

  @ParameterizedTest
  @MethodSource("backends")
  void manySlowReaders_besideAFastOne_needNoHeap(String backend) throws Exception {
    assertThat(
            ChildJvm.outputOf(
                UnreadPeers.class,
                backend,
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx48m",
                "-XX:+ExitOnOutOfMemoryError"))
        .isEqualTo("everybody was served");
  }
}
