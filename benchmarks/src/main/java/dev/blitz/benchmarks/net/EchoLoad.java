package dev.blitz.benchmarks.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Connections that each send a message, wait for its echo, and send the next; one thread. */
final class EchoLoad implements Load {
  private static final int DIGITS = 3;

  private final Selector selector = Selector.open();
  private final Consumer<SelectionKey> onReadable = this::readable;
  private final int bytes;
  private final ByteBuffer scratch;
  private final ByteBuffer message;
  private final Histogram latencies = new Histogram(DIGITS);
  private long requests;
  private int busy;
  private long end;
  private @Nullable IOException failure;

  /** One connection's answer so far. */
  private static final class Pending {
    final SocketChannel channel;
    int received;
    long sentNanos;

    Pending(SocketChannel channel) {
      this.channel = channel;
    }
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
    // Closing resets: thousands of connections that linger would use up the ports.
    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, new Pending(channel));
  }

  @Override
  public void run(long nanos) throws IOException {
    requests = 0;
    latencies.reset();
    busy = 0;
    end = System.nanoTime() + nanos;
    for (SelectionKey key : selector.keys()) {
      send((Pending) key.attachment(), System.nanoTime());
      busy++;
    }
    while (busy > 0) {
      selector.select(onReadable);
      if (failure != null) {
        throw failure;
      }
    }
  }

  private void readable(SelectionKey key) {
    try {
      var pending = (Pending) key.attachment();
      if (!receive(pending)) {
        return;
      }
      long now = System.nanoTime();
      requests++;
      latencies.recordValue(now - pending.sentNanos);
      if (now - end < 0) {
        send(pending, now);
      } else {
        busy--;
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  private void send(Pending pending, long now) throws IOException {
    message.clear();
    pending.sentNanos = now;
    while (message.hasRemaining()) {
      pending.channel.write(message);
    }
  }

  /** Whether the whole answer has come. */
  private boolean receive(Pending pending) throws IOException {
    scratch.clear();
    int n = pending.channel.read(scratch);
    if (n < 0) {
      throw new IOException("the server closed a connection");
    }
    pending.received += n;
    if (pending.received < bytes) {
      return false;
    }
    pending.received = 0;
    return true;
  }

  @Override
  public long requests() {
    return requests;
  }

  @Override
  public Histogram latencies() {
    return latencies;
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close();
  }
}
