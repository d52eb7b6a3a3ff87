package dev.blitz.io.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.Blitz;
import dev.blitz.testkit.Strict;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * The JDK's pollers must not be carried by a runtime, even if a task is the first of the JVM to
 * wait for a socket. Only a new JVM can show that.
 */
@Strict
class PollersTest {

  @Test
  void afterTheRuntimeThatReadTheFirstSocket_otherThreadsStillReadSockets() throws Exception {
    var result = ChildJvm.run(Program.class);
    assertThat(result.output()).contains("first 42", "second 42");
    assertThat(result.exit()).isZero();
  }

  /** Uses nothing but the JDK before the runtime. */
  static final class Program {
    public static void main(String[] args) throws Exception {
      Blitz.run(() -> System.out.println("first " + readOneByte()));
      var seen = new AtomicInteger();
      Thread plain =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  seen.set(readOneByte());
                } catch (Exception e) {
                  e.printStackTrace();
                }
              });
      plain.join(java.time.Duration.ofSeconds(10));
      System.out.println("second " + seen);
      System.exit(seen.get() == 42 ? 0 : 1);
    }

    private static int readOneByte() throws Exception {
      var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      try (var listener = ServerSocketChannel.open().bind(loopback);
          var client = SocketChannel.open(listener.getLocalAddress());
          var server = listener.accept()) {
        var buffer = ByteBuffer.allocate(1);
        Thread self = Thread.currentThread();
        Thread.ofPlatform()
            .start(() -> {
              while (self.getState() == Thread.State.RUNNABLE) {
                LockSupport.parkNanos(1_000_000); // until the read waits
              }
              try {
                server.write(ByteBuffer.wrap(new byte[] {42}));
              } catch (java.io.IOException e) {
                e.printStackTrace();
              }
            });
        client.read(buffer);
        return buffer.get(0);
      }
    }
  }
}
