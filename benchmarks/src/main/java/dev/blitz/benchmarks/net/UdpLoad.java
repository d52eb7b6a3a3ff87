package dev.blitz.benchmarks.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Sockets that each send a datagram or a burst of them, wait for all the echoes, and send the next.
 * One thread.
 */
final class UdpLoad implements Load {
  private static final int DIGITS = 3;

  /** On one machine none is lost, but for a server that has ended. */
  private static final long LOST_MILLIS = 2_000;

  private final Selector selector = Selector.open();
  private final Consumer<SelectionKey> onReadable = this::readable;
  private final int bytes;
  private final int burst;
  private final ByteBuffer scratch;
  private final ByteBuffer message;
  private final Histogram latencies = new Histogram(DIGITS);
  private long requests;
  private int busy;
  private long end;
  private @Nullable IOException failure;

  /** One socket, when its burst began, and how many of that are not answered. */
  private static final class Pending {
    final DatagramChannel channel;
    long sentNanos;
    int unanswered;

    Pending(DatagramChannel channel) {
      this.channel = channel;
    }
  }

  UdpLoad(int port, int sockets, int bytes) throws IOException {
    this(port, sockets, bytes, 1);
  }

  /** Keep {@code sockets} times {@code burst} below what fits into a server's receive buffer. */
  UdpLoad(int port, int sockets, int bytes, int burst) throws IOException {
    this.bytes = bytes;
    this.burst = burst;
    scratch = ByteBuffer.allocateDirect(bytes + 1);
    message = ByteBuffer.allocateDirect(bytes);
    try {
      for (int i = 0; i < sockets; i++) {
        var channel = DatagramChannel.open();
        channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, new Pending(channel));
      }
    } catch (IOException e) {
      close();
      throw e;
    }
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
      if (selector.select(onReadable, LOST_MILLIS) == 0) {
        throw new IOException(busy + " sockets were not answered");
      }
      if (failure != null) {
        throw failure;
      }
    }
  }

  private void readable(SelectionKey key) {
    try {
      var pending = (Pending) key.attachment();
      if (pending.channel.read(scratch.clear()) != bytes) {
        throw new IOException("an answer of " + scratch.position() + " bytes");
      }
      long now = System.nanoTime();
      requests++;
      latencies.recordValue(now - pending.sentNanos);
      if (--pending.unanswered > 0) {
        return;
      }
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
    pending.sentNanos = now;
    pending.unanswered = burst;
    for (int i = 0; i < burst; i++) {
      if (pending.channel.write(message.clear()) != bytes) {
        throw new IOException("no room for a datagram");
      }
    }
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
