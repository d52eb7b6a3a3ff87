package dev.blitz.io.internal.driver.uring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemoryLayout.PathElement;
import org.junit.jupiter.api.Test;

class UringAbiTest {
  @Test
  void params_hasTheKernelsSizeAndOffsets() {
    assertThat(UringAbi.PARAMS.byteSize()).isEqualTo(120);
    assertThat(UringAbi.PARAMS.byteOffset(PathElement.groupElement("features"))).isEqualTo(20);
    assertThat(UringAbi.PARAMS.byteOffset(PathElement.groupElement("sq_off"))).isEqualTo(40);
    assertThat(UringAbi.PARAMS.byteOffset(PathElement.groupElement("cq_off"))).isEqualTo(80);
  }
}
