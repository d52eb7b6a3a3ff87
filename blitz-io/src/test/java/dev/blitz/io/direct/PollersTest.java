package dev.blitz.io.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
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
  void whatTheRuntimeThatReadTheFirstSocketDoes_otherThreadsStillReadSockets() throws Exception {
    var result = ChildJvm.run(Program.class);
    assertThat(result.output()).contains("task 42", "beside a stuck worker 42", "after close 42");
    assertThat(result.exit()).isZero();
  }

  /** Uses nothing but the JDK before the runtime. */
  static final class Program {
    public static void main(String[] args) throws Exception {
      try (var runtime = BlitzRuntime.builder().workers(1).build()) {
        runtime.run(() -> System.out.println("task " + readOneByte()));
        var stuck = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        runtime
            .spawn(
                Futures.lazy(() -> {
                  stuck.countDown();
                  release.await();
                  return 1;
                }))
            .detach();
        stuck.await();
        System.out.println("beside a stuck worker " + readOnPlainThread());
        release.countDown();
      }
      System.out.println("after close " + readOnPlainThread());
      System.exit(0);
    }

    private static int readOnPlainThread() throws Exception {
      var seen = new AtomicInteger();
      Thread plain =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  seen.set(readOneByte());
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      plain.join(Timeouts.MEDIUM);
      return seen.get();
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
                throw new IllegalStateException(e);
              }
            });
        client.read(buffer);
        return buffer.get(0);
      }
    }
  }
}
