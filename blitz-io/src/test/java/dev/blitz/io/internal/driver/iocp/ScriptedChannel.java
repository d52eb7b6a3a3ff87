package dev.blitz.io.internal.driver.iocp;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection whose operations end when a test says so, on the test's own thread. */
final class ScriptedChannel extends AsynchronousSocketChannel {

  /** An operation that has begun. */
  record Pending(ByteBuffer memory, CompletionHandler<Integer, ?> handler) {
    /** All that it wanted has moved. */
    void complete() {
      int n = memory.remaining();
      memory.position(memory.limit());
      handler.completed(n, null);
    }

    /** Something has arrived. */
    void receive(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      memory.put(bytes);
      handler.completed(bytes.length, null);
    }

    void fail(Throwable cause) {
      handler.failed(cause, null);
    }

    String text() {
      return StandardCharsets.US_ASCII.decode(memory.duplicate()).toString();
    }
  }

  /** What was done to it, in order. */
  final List<String> events = new ArrayList<>();

  @Nullable Error onClose;
  private @Nullable Pending read;
  private @Nullable Pending write;
  private boolean open = true;

  ScriptedChannel() {
    super(null);
  }

  Pending takeRead() {
    Pending taken = Objects.requireNonNull(read, "no read is pending");
    read = null;
    return taken;
  }

  Pending takeWrite() {
    Pending taken = Objects.requireNonNull(write, "no write is pending");
    write = null;
    return taken;
  }

  boolean isWriting() {
    return write != null;
  }

  @Override
  public <A> void read(
      ByteBuffer target,
      long timeout,
      TimeUnit unit,
      A attachment,
      CompletionHandler<Integer, ? super A> handler) {
    read = new Pending(target, handler);
  }

  @Override
  public <A> void write(
      ByteBuffer source,
      long timeout,
      TimeUnit unit,
      A attachment,
      CompletionHandler<Integer, ? super A> handler) {
    write = new Pending(source, handler);
    events.add("write " + write.text());
  }

  @Override
  public <A> void connect(
      SocketAddress remote, A attachment, CompletionHandler<Void, ? super A> handler) {
    throw new UnsupportedAddressTypeException();
  }

  @Override
  public AsynchronousSocketChannel shutdownInput() {
    return this;
  }

  @Override
  public AsynchronousSocketChannel shutdownOutput() {
    events.add("end of output");
    return this;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    if (open) {
      open = false;
      events.add("close");
      if (onClose != null) {
        throw onClose;
      }
    }
  }

  @Override
  public SocketAddress getRemoteAddress() {
    return getLocalAddress();
  }

  @Override
  public SocketAddress getLocalAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);
  }

  // --- What nobody uses ---

  @Override
  public AsynchronousSocketChannel bind(SocketAddress local) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> AsynchronousSocketChannel setOption(SocketOption<T> name, T value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> T getOption(SocketOption<T> name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return Set.of();
  }

  @Override
  public Future<Void> connect(SocketAddress remote) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Future<Integer> read(ByteBuffer target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <A> void read(
      ByteBuffer[] targets,
      int offset,
      int length,
      long timeout,
      TimeUnit unit,
      A attachment,
      CompletionHandler<Long, ? super A> handler) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Future<Integer> write(ByteBuffer source) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <A> void write(
      ByteBuffer[] sources,
      int offset,
      int length,
      long timeout,
      TimeUnit unit,
      A attachment,
      CompletionHandler<Long, ? super A> handler) {
    throw new UnsupportedOperationException();
  }
}
