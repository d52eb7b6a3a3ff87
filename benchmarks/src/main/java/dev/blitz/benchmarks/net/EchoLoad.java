package dev.blitz.benchmarks.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Connections that each keep some messages on their way, one as a rule: for each echo that has come
 * the next message is sent, those of one read together. One thread.
 */
final class EchoLoad implements Load {
  private static final int DIGITS = 3;

  private final Selector selector = Selector.open();
  private final Consumer<SelectionKey> onReadable = this::readable;
  private final int bytes;
  private final int depth;
  private final ByteBuffer scratch;
  private final ByteBuffer messages;
  private final Histogram latencies = new Histogram(DIGITS);
  private long requests;
  private int busy;
  private long end;
  private @Nullable IOException failure;

  /** One connection: when what is on its way was sent, and the answer so far. */
  private static final class Pending {
    final SocketChannel channel;
    final long[] sentNanos;
    int oldest;
    int onTheirWay;
    int received;

    Pending(SocketChannel channel, int depth) {
      this.channel = channel;
      sentNanos = new long[depth];
    }

    void sent(int count, long now) {
      for (int i = 0; i < count; i++) {
        sentNanos[(oldest + onTheirWay++) % sentNanos.length] = now;
      }
    }

    long answered() {
      long sent = sentNanos[oldest];
      oldest = (oldest + 1) % sentNanos.length;
      onTheirWay--;
      return sent;
    }
  }

  EchoLoad(int port, int connections, int bytes) throws IOException {
    this(port, connections, bytes, 1);
  }

  /** {@code depth}: how many messages of a connection are on their way at a time. */
  EchoLoad(int port, int connections, int bytes, int depth) throws IOException {
    this(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), connections, bytes, depth);
  }

  /** Of a server on a Unix socket. */
  static EchoLoad unix(int number, int connections, int bytes) throws IOException {
    return new EchoLoad(SocketPath.address(number), connections, bytes, 1);
  }

  private EchoLoad(SocketAddress server, int connections, int bytes, int depth) throws IOException {
    this.bytes = bytes;
    this.depth = depth;
    scratch = ByteBuffer.allocateDirect(bytes * depth);
    messages = ByteBuffer.allocateDirect(bytes * depth);
    try {
      for (int i = 0; i < connections; i++) {
        connect(server);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void connect(SocketAddress server) throws IOException {
    var channel = SocketChannel.open(server);
    if (server instanceof InetSocketAddress) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      // Closing resets: thousands of connections that linger would use up the ports.
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    }
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, new Pending(channel, depth));
  }

  @Override
  public void run(long nanos) throws IOException {
    requests = 0;
    latencies.reset();
    busy = 0;
    end = System.nanoTime() + nanos;
    for (SelectionKey key : selector.keys()) {
      send((Pending) key.attachment(), depth, System.nanoTime());
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
      int answers = receive(pending);
      if (answers == 0) {
        return;
      }
      long now = System.nanoTime();
      requests += answers;
      for (int i = 0; i < answers; i++) {
        latencies.recordValue(now - pending.answered());
      }
      if (now - end < 0) {
        send(pending, answers, now);
      } else if (pending.onTheirWay == 0) {
        busy--;
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  private void send(Pending pending, int count, long now) throws IOException {
    messages.clear().limit(count * bytes);
    pending.sent(count, now);
    while (messages.hasRemaining()) {
      pending.channel.write(messages);
    }
  }

  /** How many whole answers have come. */
  private int receive(Pending pending) throws IOException {
    scratch.clear();
    int n = pending.channel.read(scratch);
    if (n < 0) {
      throw new IOException("the server closed a connection");
    }
    int received = pending.received + n;
    pending.received = received % bytes;
    return received / bytes;
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
