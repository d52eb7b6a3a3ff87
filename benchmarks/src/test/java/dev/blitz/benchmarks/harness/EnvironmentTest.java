package dev.blitz.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class EnvironmentTest {
  @Test
  void processorOf_namesTheModel_andWhetherItHasWideVectors() {
    assertThat(processor("model name\t: AMD EPYC", "flags\t\t: sse2 avx2 avx512f avx512bw"))
        .isEqualTo("AMD EPYC with AVX-512");
    assertThat(processor("model name\t: Intel(R) Core(TM)", "flags\t\t: sse2 avx2 avx512er"))
        .isEqualTo("Intel(R) Core(TM) without AVX-512");
  }

  @Test
  void processorOf_isOfTheFirst() {
    assertThat(processor("model name : one", "flags : sse", "model name : two", "flags : avx512f"))
        .isEqualTo("one without AVX-512");
  }

  @Test
  void processorOf_whatDoesNotSay_isEmpty() {
    assertThat(processor("processor : 0", "BogoMIPS : 50", "Features : fp asimd")).isEmpty();
    assertThat(processor("model name : RISC")).isEqualTo("RISC");
    assertThat(processor()).isEmpty();
  }

  private static String processor(String... lines) {
    return Environment.processorOf(List.of(lines));
  }
}
