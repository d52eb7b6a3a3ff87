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
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.Status;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** As {@link EchoLoad}, through TLS. */
final class TlsLoad implements Load {
  private static final int DIGITS = 3;
  private static final int RECORD_BYTES = 1 << 15;

  private final Selector selector = Selector.open();
  private final Consumer<SelectionKey> onReady = this::ready;
  private final int bytes;
  private final ByteBuffer message;
  private final ByteBuffer plain = ByteBuffer.allocate(RECORD_BYTES);
  private final Histogram latencies = new Histogram(DIGITS);
  private long requests;
  private int busy;
  private long end;
  private @Nullable IOException failure;

  /** One connection, its message on the way and the answer so far. */
  private static final class Talk {
    final SocketChannel channel;
    final SSLEngine engine;
    final ByteBuffer out = ByteBuffer.allocateDirect(2 * RECORD_BYTES);
    ByteBuffer in = ByteBuffer.allocateDirect(2 * RECORD_BYTES);
    int unsent;
    int received;
    long sentNanos;

    Talk(SocketChannel channel, SSLEngine engine) {
      this.channel = channel;
      this.engine = engine;
      in.limit(0);
      out.limit(0);
    }
  }

  TlsLoad(int port, int connections, int bytes) throws IOException {
    this.bytes = bytes;
    message = ByteBuffer.allocate(Math.min(bytes, 16 * 1024));
    SSLContext context = TlsMaterial.clientContext();
    try {
      for (int i = 0; i < connections; i++) {
        connect(port, context);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void connect(int port, SSLContext context) throws IOException {
    var channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    var talk = new Talk(channel, TlsMaterial.clientEngine(context));
    shakeHands(talk);
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, talk);
  }

  /** On a channel that blocks. */
  private void shakeHands(Talk talk) throws IOException {
    talk.engine.beginHandshake();
    for (; ; ) {
      switch (talk.engine.getHandshakeStatus()) {
        case NEED_TASK -> talk.engine.getDelegatedTask().run();
        case NEED_WRAP -> {
          talk.engine.wrap(plain.clear().limit(0), talk.out.clear());
          talk.out.flip();
          while (talk.out.hasRemaining()) {
            talk.channel.write(talk.out);
          }
        }
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          if (talk.engine.unwrap(talk.in, plain.clear()).getStatus() == Status.BUFFER_UNDERFLOW) {
            fill(talk);
          }
        }
        case FINISHED, NOT_HANDSHAKING -> {
          return;
        }
      }
    }
  }

  private static boolean fill(Talk talk) throws IOException {
    talk.in.compact();
    int n = talk.channel.read(talk.in);
    talk.in.flip();
    if (n < 0) {
      throw new IOException("the server closed a connection");
    }
    return n > 0;
  }

  @Override
  public void run(long nanos) throws IOException {
    requests = 0;
    latencies.reset();
    busy = 0;
    end = System.nanoTime() + nanos;
    for (SelectionKey key : selector.keys()) {
      begin(key, (Talk) key.attachment(), System.nanoTime());
      busy++;
    }
    while (busy > 0) {
      selector.select(onReady);
      if (failure != null) {
        throw failure;
      }
    }
  }

  private void ready(SelectionKey key) {
    try {
      var talk = (Talk) key.attachment();
      if (key.isWritable()) {
        send(key, talk);
      }
      if (!key.isReadable() || !receive(talk)) {
        return;
      }
      long now = System.nanoTime();
      requests++;
      latencies.recordValue(now - talk.sentNanos);
      if (now - end < 0) {
        begin(key, talk, now);
      } else {
        busy--;
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  private void begin(SelectionKey key, Talk talk, long now) throws IOException {
    talk.sentNanos = now;
    talk.unsent = bytes;
    send(key, talk);
  }

  private void send(SelectionKey key, Talk talk) throws IOException {
    for (; ; ) {
      if (talk.out.hasRemaining()) {
        talk.channel.write(talk.out);
        if (talk.out.hasRemaining()) {
          key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
          return;
        }
      }
      if (talk.unsent == 0) {
        key.interestOps(SelectionKey.OP_READ);
        return;
      }
      message.clear().limit(Math.min(talk.unsent, message.capacity()));
      talk.engine.wrap(message, talk.out.clear());
      talk.out.flip();
      talk.unsent -= message.position();
    }
  }

  /** Whether the whole answer has come. */
  private boolean receive(Talk talk) throws IOException {
    while (fill(talk)) {
      while (talk.engine.unwrap(talk.in, plain.clear()).getStatus() == Status.OK) {
        talk.received += plain.position();
        if (!talk.in.hasRemaining()) {
          break;
        }
      }
      if (talk.received == bytes) {
        talk.received = 0;
        return true;
      }
    }
    return false;
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
