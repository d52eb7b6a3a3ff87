package dev.blitz.benchmarks.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.HdrHistogram.Histogram;

/** Connections that each send a message, wait for its echo, and send the next; one thread. */
final class EchoLoad implements AutoCloseable {
  private static final int DIGITS = 3;

  private final Selector selector = Selector.open();
  private final int bytes;
  private final ByteBuffer scratch;
  private final ByteBuffer message;
  private final Histogram latencies = new Histogram(DIGITS);
  private long requests;

  /** One connection's answer so far. */
  private static final class Pending {
    int received;
    long sentNanos;
  }

  EchoLoad(int port, int connections, int bytes) throws IOException {
    this.bytes = bytes;
    scratch = ByteBuffer.allocateDirect(bytes);
    message = ByteBuffer.allocateDirect(bytes);
    try {
      for (int i = 0; i < connections; i++) {
        connect(port);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void connect(int port) throws IOException {
    var channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, new Pending());
  }

  /** Keeps all connections busy for {@code nanos}; each is idle when this returns. */
  void run(long nanos) throws IOException {
    requests = 0;
    latencies.reset();
    long end = System.nanoTime() + nanos;
    int busy = 0;
    for (SelectionKey key : selector.keys()) {
      send(key);
      busy++;
    }
    while (busy > 0) {
      selector.select();
      for (SelectionKey key : selector.selectedKeys()) {
        if (receive(key)) {
          if (System.nanoTime() - end < 0) {
            send(key);
          } else {
            busy--;
          }
        }
      }
      selector.selectedKeys().clear();
    }
  }

  private void send(SelectionKey key) throws IOException {
    message.clear();
    ((Pending) key.attachment()).sentNanos = System.nanoTime();
    while (message.hasRemaining()) {
      ((SocketChannel) key.channel()).write(message);
    }
  }

  /** Whether the whole answer has come. */
  private boolean receive(SelectionKey key) throws IOException {
    scratch.clear();
    int n = ((SocketChannel) key.channel()).read(scratch);
    if (n < 0) {
      throw new IOException("the server closed a connection");
    }
    Pending pending = (Pending) key.attachment();
    pending.received += n;
    if (pending.received < bytes) {
      return false;
    }
    pending.received = 0;
    requests++;
    latencies.recordValue(System.nanoTime() - pending.sentNanos);
    return true;
  }

  long requests() {
    return requests;
  }

  double medianMicros() {
    return latencies.getValueAtPercentile(50) / 1e3;
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close();
  }
}
