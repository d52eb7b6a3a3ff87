package dev.blitz.io.internal.driver.posix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.TestBackends;
import org.junit.jupiter.api.Test;

class PosixAbiTest {
  @Test
  void layouts_haveTheKernelsSizes() {
    assertThat(PosixAbi.IOVEC.byteSize()).isEqualTo(16);
    assertThat(PosixAbi.POLLFD.byteSize()).isEqualTo(8);
  }

  @Test
  void errors_haveWords() {
    TestBackends.assumeNative();
    assertThat(Errno.describe(Errno.EPIPE)).isEqualTo("Broken pipe");
    assertThat(PosixErrors.of("open", Errno.EMFILE)).isInstanceOf(NoDescriptorException.class);
    assertThat(PosixErrors.of("open", Errno.EIO).getMessage()).startsWith("open: ");
  }
}
