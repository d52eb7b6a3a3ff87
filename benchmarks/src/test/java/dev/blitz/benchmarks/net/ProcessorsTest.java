package dev.blitz.benchmarks.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

/** The kernel's way to write a set of processors. */
@Strict
class ProcessorsTest {
  @Test
  void rangesAndNumbersAreRead() {
    assertThat(Processors.parse("0")).containsExactly(0);
    assertThat(Processors.parse("0-1")).containsExactly(0, 1);
    assertThat(Processors.parse("2,4-6,9")).containsExactly(2, 4, 5, 6, 9);
  }
}
