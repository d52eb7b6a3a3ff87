package dev.blitz.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExternalPeerTest {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final Workload WORKLOAD = Workload.named("w").blitz(() -> () -> 1).build();

  @TempDir Path folder;

  @Test
  void sample_readsTheLinesOfTheKey() throws Exception {
    // Echoes its arguments: the protocol is what a peer is started with and what it prints.
    var peer = program("IO.println(a[0] + \" \" + a[1]); IO.println(a[0] + \".cpu 2.5\");");
    assertThat(peer.absence()).isEmpty();
    assertThat(peer.sample(WORKLOAD, 7_000_000)).isEqualTo(new Sample(7, 2.5, Double.NaN));
  }

  @Test
  void sample_failingProgram_isAnError() throws Exception {
    var peer = program("System.exit(3);");
    assertThatThrownBy(() -> peer.sample(WORKLOAD, 1_000_000))
        .isInstanceOf(IOException.class)
        .hasMessage("Tokio failed on mutex with exit code 3");
  }

  @Test
  void parse_ignoresOtherLinesAndRefusesSilence() {
    var lines = List.of("warming up", "rwlock 14.6", "mutex 13.9", "mutex.bytes 0");
    assertThat(ExternalPeer.parse(lines, "mutex")).isEqualTo(new Sample(13.9, Double.NaN, 0));
    assertThatThrownBy(() -> ExternalPeer.parse(List.of("rwlock 1"), "mutex"))
        .hasMessageContaining("mutex VALUE");
  }

  @Test
  void absence_programNotOnThePath_namesIt() {
    var peer = new ExternalPeer("fio", List.of("no-such-program-anywhere"), "read");
    assertThat(peer.absence()).hasValue("no-such-program-anywhere is not installed or not built");
  }

  private ExternalPeer program(String body) throws IOException {
    var source = folder.resolve("Peer.java");
    Files.writeString(source, "void main(String[] a) { " + body + " }");
    return new ExternalPeer("Tokio", List.of(JAVA, source.toString()), "mutex");
  }
}
