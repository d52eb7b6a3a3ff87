package dev.blitz.io.internal.driver.kqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Pipe;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.driver.readiness.EventBits;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.observe.BackendProbe;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The calls of the system, or of libkqueue on a Linux that has it. Not {@code Strict}: the library
 * closes its own descriptors some time later, on a thread of its own.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SystemKqueueCallsTest {

  @BeforeEach
  void needsKqueue() {
    BackendProbe probe = new KqueueBackend().probe();
    assumeTrue(probe.available(), probe::toString);
  }

  @Test
  void bytesOfAPipe_andAWake_areFound() throws Exception {
    KqueuePoller poller = KqueuePoller.open(new SystemKqueueCalls());
    Pipe pipe = Pipe.open();
    CallFrame frame = CallFrame.take();
    try {
      var events = poller.newEvents();
      poller.arm(pipe.reader(), EventBits.READABLE, 0x700000005L);
      poller.look(events);
      assertThat(events.count()).isZero();
      for (int i = 0; i < 2; i++) {
        PosixCalls.write(frame, pipe.writer(), frame.value(), 1);
        poller.await(events, -1);
        assertThat(events.count()).isEqualTo(1);
        assertThat(events.key(0)).isEqualTo(0x700000005L);
        assertThat(events.bits(0) & EventBits.READABLE).isNotZero();
        poller.look(events);
        assertThat(events.count()).as("an edge is told once").isZero();
      }
      poller.wake();
      poller.look(events);
      poller.await(events, -1);
      assertThat(events.count()).isZero();
      poller.disarm(pipe.reader(), 0x700000005L);
    } finally {
      frame.giveBack();
      PosixCalls.close(pipe.reader());
      PosixCalls.close(pipe.writer());
      poller.close();
    }
  }

  @Test
  void anEcho_throughARuntime() throws Exception {
    try (var rt = BlitzRuntime.builder().backend("kqueue").workers(2).build()) {
      assertThat(rt.backend().name()).isEqualTo("kqueue");
      var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      try (TcpListener listener = rt.run(Futures.lazy(() -> TcpListener.bind(loopback)));
          TcpStream client =
              rt.run(Futures.lazy(() -> TcpStream.connect(listener.localAddress()))).await();
          TcpStream server = listener.accept().await()) {
        var sent = ByteBuffer.allocate(1 << 20);
        var echoing =
            rt.spawn(() -> {
              var buffer = ByteBuffer.allocate(4096);
              while (server.read(buffer).await() >= 0) {
                server.writeAll(buffer.flip()).await();
                buffer.clear();
              }
            });
        var writing = rt.spawn(client.writeAll(sent));
        client.readFully(ByteBuffer.allocate(1 << 20)).await();
        writing.await();
        client.shutdown().await();
        echoing.await();
      }
    }
  }
}
