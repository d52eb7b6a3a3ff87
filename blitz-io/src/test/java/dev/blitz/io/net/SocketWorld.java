package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.RuntimeBuilder;
import dev.blitz.io.TestBackends;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.future.Waker;
import dev.blitz.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A runtime on one backend, a listener, and what tests do with sockets. */
final class SocketWorld implements AutoCloseable {
  final BlitzRuntime runtime;

  SocketWorld(String backend, int workers) {
    this(TestBackends.builder(backend).workers(workers));
  }

  SocketWorld(RuntimeBuilder builder) {
    runtime = builder.build();
  }

  /** Runs something short inside the runtime. */
  <T> T inside(ThrowingSupplier<T> body) throws Exception {
    return runtime.run(Futures.lazy(body));
  }

  TcpListener listen() throws Exception {
    return inside(() -> TcpListener.bind(loopback(0)));
  }

  static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  IoFuture<TcpStream> connecting(InetSocketAddress remote) throws Exception {
    return inside(() -> TcpStream.connect(remote));
  }

  /** Two ends of one connection. */
  record Pair(TcpStream client, TcpStream server) implements AutoCloseable {
    @Override
    public void close() {
      client.close();
      server.close();
    }
  }

  Pair pair() throws Exception {
    try (var listener = listen()) {
      var client = connecting(listener.localAddress()).await();
      return new Pair(client, listener.accept().await());
    }
  }

  /** A waker that counts, for polls by hand. */
  static final class Bell implements Waker {
    private volatile int rings;

    @Override
    public synchronized void wake() {
      rings++;
    }

    int rings() {
      return rings;
    }

    void awaitAfter(int before) {
      Await.until(() -> rings > before, "a wake");
    }

    Context context() {
      return Context.of(this);
    }
  }

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  static String text(ByteBuffer filled) {
    filled.flip();
    return java.nio.charset.StandardCharsets.UTF_8.decode(filled).toString();
  }

  /** Reads until {@code length} bytes are there, or the stream ends. */
  static String readText(TcpStream stream, int length) throws IOException {
    var buffer = ByteBuffer.allocate(length);
    while (buffer.hasRemaining() && stream.read(buffer).await() >= 0) {
      // go on
    }
    return text(buffer);
  }

  static byte[] noise(int length, long seed) {
    byte[] noise = new byte[length];
    new SplittableRandom(seed).nextBytes(noise);
    return noise;
  }

  static @Nullable Throwable failureOf(ThrowingSupplier<?> body) {
    try {
      body.get();
      return null;
    } catch (Throwable t) {
      return t;
    }
  }

  @Override
  public void close() {
    runtime.close();
  }
}
