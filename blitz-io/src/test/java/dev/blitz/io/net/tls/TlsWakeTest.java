package dev.blitz.io.net.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.bytes.GuardedStream;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A side sends what the other waits for: that one is woken, whatever the stream below does. */
@Strict
class TlsWakeTest {
  private static final Context NOBODY = Context.of(() -> {});

  /** Has no room, or fails, and has not told anybody yet that this has changed; nor ever will. */
  private static final class Silent extends GuardedStream {
    private final Wire wire;
    boolean full;
    @Nullable IOException failure;

    Silent(Wire wire) {
      this.wire = wire;
    }

    @Override
    protected int doRead(Context cx, ByteBuffer target) throws IOException {
      return wire.pollRead(cx, target);
    }

    @Override
    protected int doWrite(Context cx, ByteBuffer source) throws IOException {
      if (failure != null) {
        throw failure;
      }
      return full ? PENDING : wire.pollWrite(cx, source);
    }

    @Override
    protected boolean doFlush(Context cx) throws IOException {
      return wire.pollFlush(cx);
    }

    @Override
    protected boolean doShutdown(Context cx) throws IOException {
      return wire.pollShutdown(cx);
    }

    @Override
    public void forgetRead() {
      wire.forgetRead();
    }

    @Override
    public void forgetWrite() {
      wire.forgetWrite();
    }

    @Override
    public void close() {
      wire.close();
    }
  }

  private final Wire[] wire = Wire.pair(1 << 18);
  private final Silent below = new Silent(wire[0]);
  private final AtomicInteger wakes = new AtomicInteger();
  private final Context writer = Context.of(wakes::incrementAndGet);

  private TlsStream shake() throws IOException {
    var connect = TlsWorld.client().connect(below, TlsWorld.HOST);
    var accept = TlsWorld.server().accept(wire[1]);
    TlsStream near = null;
    TlsStream far = null;
    for (int rounds = 0; near == null || far == null; rounds++) {
      assertThat(rounds).isLessThan(20);
      near = near != null ? near : connect.poll(NOBODY);
      far = far != null ? far : accept.poll(NOBODY);
    }
    return near;
  }

  @Test
  void aReaderThatGoes_andSendsWhatWasLeft_wakesTheWriter() throws Exception {
    try (TlsStream near = shake()) {
      IoFuture<Integer> read = near.read(ByteBuffer.allocate(16));
      below.full = true;
      IoFuture<Done> write = near.writeAll(ByteBuffer.allocate(100_000));
      assertThat(write.poll(writer)).isNull();
      assertThat(read.poll(NOBODY)).isNull();
      int before = wakes.get();
      below.full = false;
      read.drop(); // sends what the writer has left, and with it the stream below forgets its waker
      assertThat(wakes.get()).isGreaterThan(before);
      assertThat(write.poll(writer)).isNotNull();
    }
  }

  @Test
  void aReaderThatFindsOutThatNothingCanBeSent_wakesTheWriter() throws Exception {
    try (TlsStream near = shake()) {
      IoFuture<Integer> read = near.read(ByteBuffer.allocate(16));
      below.full = true;
      IoFuture<Done> write = near.writeAll(ByteBuffer.allocate(100_000));
      assertThat(write.poll(writer)).isNull();
      int before = wakes.get();
      below.failure = new IOException("gone");
      assertThat(read.poll(NOBODY)).isNull();
      assertThat(wakes.get()).isGreaterThan(before);
      assertThatThrownBy(() -> write.poll(writer)).hasMessageContaining("gone");
      read.drop();
    }
  }

  @Test
  void aReaderThatGoes_andFindsOutThatNothingCanBeSent_wakesTheWriter() throws Exception {
    try (TlsStream near = shake()) {
      IoFuture<Integer> read = near.read(ByteBuffer.allocate(16));
      below.full = true;
      IoFuture<Done> write = near.writeAll(ByteBuffer.allocate(100_000));
      assertThat(write.poll(writer)).isNull();
      assertThat(read.poll(NOBODY)).isNull();
      int before = wakes.get();
      below.failure = new IOException("gone");
      read.drop();
      assertThat(wakes.get()).isGreaterThan(before);
      assertThatThrownBy(() -> write.poll(writer)).hasMessageContaining("gone");
    }
  }
}
