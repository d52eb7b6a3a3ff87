package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.IoFuture;
import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

@Strict
class LazyConnectTest {

  @Test
  void aConnectMadeOutside_belongsToTheRuntimeThatPollsIt() throws Exception {
    try (var rt = BlitzRuntime.create();
        TcpListener listener = rt.run(() -> TcpListener.bind(0))) {
      IoFuture<TcpStream> connect = TcpStream.connect("localhost", listener.localAddress().getPort());
      try (TcpStream stream = rt.run(connect)) {
        assertThat(stream.remoteAddress().getPort()).isEqualTo(listener.localAddress().getPort());
      }
      IoFuture<TcpStream> stranger = TcpStream.connect(listener.localAddress());
      assertThatThrownBy(stranger::await)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("needs a runtime");
    }
  }
}
