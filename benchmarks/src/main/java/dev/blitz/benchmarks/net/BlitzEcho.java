package dev.blitz.benchmarks.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.net.DatagramBatch;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.net.UdpSocket;
import dev.blitz.io.net.UnixAddress;
import dev.blitz.io.net.UnixListener;
import dev.blitz.io.net.tls.TlsConfig;
import dev.blitz.io.net.tls.TlsServer;
import dev.blitz.io.task.Task;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The echo server on Blitz: a stackless task per connection, one worker. */
final class BlitzEcho {
  private BlitzEcho() {}

  static void run(String backend) throws Exception {
    run(backend, Echo::new);
  }

  /** Through TLS. */
  static void runTls(String backend) throws Exception {
    TlsServer tls =
        TlsServer.of(
            TlsConfig.create()
                .certificate(
                    TlsMaterial.text(TlsMaterial.certificate()),
                    TlsMaterial.text(TlsMaterial.key()))
                .protocols(TlsMaterial.PROTOCOL)
                .cipherSuites(TlsMaterial.CIPHER));
    run(backend, tcp -> tls.accept(tcp).andThen(Echo::new).recover(refused -> Done.DONE));
  }

  private static void run(String backend, Function<TcpStream, Future<Done>> serving)
      throws Exception {
    try (var runtime = BlitzRuntime.builder().backend(backend).workers(1).build()) {
      TcpListener listener =
          runtime.run(
              Futures.lazy(() ->
                  TcpListener.builder()
                      .backlog(4096)
                      .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))));
      EchoServers.announce(listener.localAddress().getPort());
      runtime.run(
          Futures.loop(() ->
              listener
                  .accept()
                  .andThen(stream -> {
                    Task.spawn(serving.apply(stream.noDelay(true))).detach();
                    return Futures.more();
                  })));
    }
  }

  /** Datagrams: one task, one socket. */
  static void runUdp(String backend) throws Exception {
    try (var runtime = BlitzRuntime.builder().backend(backend).workers(1).build()) {
      UdpSocket socket =
          runtime.run(
              Futures.lazy(() ->
                  UdpSocket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))));
      EchoServers.announce(socket.localAddress().getPort());
      var buffer = ByteBuffer.allocateDirect(EchoServers.DATAGRAM_BYTES);
      runtime.run(
          Futures.loop(() ->
              socket
                  .receiveFrom(buffer.clear())
                  .andThen(datagram -> socket.sendTo(buffer.flip(), datagram.sender()))
                  .andThen(sent -> Futures.more())));
    }
  }

  /** Datagrams, as many at a time as are there. */
  static void runUdpBatches(String backend) throws Exception {
    try (var runtime = BlitzRuntime.builder().backend(backend).workers(1).build()) {
      UdpSocket socket =
          runtime.run(
              Futures.lazy(() ->
                  UdpSocket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))));
      EchoServers.announce(socket.localAddress().getPort());
      DatagramBatch<InetSocketAddress> batch =
          DatagramBatch.allocate(EchoServers.BATCH, EchoServers.BATCH_BYTES_EACH);
      runtime.run(
          Futures.loop(() ->
              socket
                  .receiveMany(batch)
                  .andThen(n -> socket.sendMany(batch))
                  .andThen(sent -> Futures.more())));
    }
  }

  /** On a Unix socket. */
  static void runUnix(String backend) throws Exception {
    try (var runtime = BlitzRuntime.builder().backend(backend).workers(1).build()) {
      Path path = SocketPath.ours();
      UnixListener listener =
          runtime.run(Futures.lazy(() -> UnixListener.bind(UnixAddress.of(path), 4096)));
      SocketPath.announce();
      runtime.run(
          Futures.loop(() ->
              listener
                  .accept()
                  .andThen(stream -> {
                    Task.spawn(new Echo(stream)).detach();
                    return Futures.more();
                  })));
    }
  }

  /** One connection. It has a buffer only while there is something in it. */
  private static final class Echo implements Future<Done> {
    private static final int BUFFER_BYTES = 16 * 1024;

    /** A buffer of this thread that no connection has. */
    private static final ThreadLocal<@Nullable ByteBuffer> SPARE = new ThreadLocal<>();

    private final ByteStream stream;

    /** What is still to be written, or null while reading. */
    private @Nullable ByteBuffer unsent;

    Echo(ByteStream stream) {
      this.stream = stream;
    }

    @Override
    public @Nullable Done poll(Context cx) {
      try {
        return turn(cx);
      } catch (IOException reset) {
        stream.close();
        return Done.DONE;
      }
    }

    private @Nullable Done turn(Context cx) throws IOException {
      for (; ; ) {
        ByteBuffer buffer = unsent;
        if (buffer == null) {
          buffer = borrow();
          int n = 0;
          try {
            n = stream.pollRead(cx, buffer);
          } finally {
            if (n <= 0) { // nothing yet, the end, or a reset
              SPARE.set(buffer);
            }
          }
          if (n == TcpStream.PENDING) {
            return null;
          }
          if (n < 0) {
            stream.close();
            return Done.DONE;
          }
          unsent = buffer.flip();
        }
        int n = stream.pollWrite(cx, buffer);
        if (n == TcpStream.PENDING) {
          return null;
        }
        if (!buffer.hasRemaining()) {
          unsent = null;
          SPARE.set(buffer);
        }
      }
    }

    private static ByteBuffer borrow() {
      ByteBuffer spare = SPARE.get();
      if (spare == null) {
        return ByteBuffer.allocateDirect(BUFFER_BYTES);
      }
      SPARE.set(null);
      return spare.clear();
    }

    @Override
    public void drop() {
      stream.close();
    }
  }
}
