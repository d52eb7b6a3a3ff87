package dev.blitz.parallel.internal.spin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

@Strict
class ScanTest {
  /** Such an array takes more memory than a test has. */
  @Test
  void lastChunk_ofTheLongestArray_endsWithIt() {
    int length = Integer.MAX_VALUE - 2;
    int last = (length - 1) / Scan.CHUNK;
    assertThat(Scan.end(last, length)).isEqualTo(length);
    assertThat(Scan.end(last - 1, length)).isEqualTo(last * Scan.CHUNK);
    assertThat(Scan.end(0, 5)).isEqualTo(5);
  }
}
