package dev.blitz.io.net.tls;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.ByteWriter;
import dev.blitz.io.future.Context;
import dev.blitz.io.internal.base.Telling;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * What a connection does after its handshake: reads, writes, and answers what the peer says about
 * keys and the end. Never waits. One thread at a time: see {@link TurnState}.
 *
 * <p>Either side sends what there is to be sent. So an answer to a key update goes out while the
 * writer waits for room, and what a write has left goes out while the reader waits for bytes. Who
 * has made room for the other says so: {@link #takeMadeRoom}.
 */
final class DataPhase {
  private final RecordLayer layer;

  /** The engine has something to send of its own: an answer to a key update, an alert. */
  private boolean engineHasOutput;

  private boolean inputEnded;
  private boolean truncated;
  private boolean outputEnded;
  private boolean madeRoom;

  /** Why nothing works any more. */
  private @Nullable Throwable failure;

  /** Why nothing can be sent any more, which the reader has found out. */
  private @Nullable IOException sendFailure;

  DataPhase(RecordLayer layer) {
    this.layer = layer;
  }

  /**
   * Whether something was sent since it was asked last, or never will be: the other side goes on.
   */
  boolean takeMadeRoom() {
    boolean made = madeRoom;
    madeRoom = false;
    return made;
  }

  // --- Reading ---

  /** As {@link ByteReader#pollRead} with room in {@code target}; budget is the caller's. */
  int read(Context cx, ByteBuffer target) throws IOException {
    requireUsable(target);
    for (int empty = 0; ; ) {
      if (layer.hasPlain()) {
        return layer.takePlain(target);
      }
      if (inputEnded) {
        return ByteReader.EOF;
      }
      if (truncated) {
        throw new TruncatedException("the connection has ended without a close_notify of the peer");
      }
      throwIfFailed();
      if (!sendBeside()) {
        return ByteReader.PENDING; // the answers that are due would fill the memory
      }
      int before = target.position();
      SSLEngineResult result = decrypt(target);
      if (target.position() > before) {
        return target.position() - before;
      }
      if (result.getStatus() == Status.CLOSED) {
        inputEnded = true;
        sendBeside();
      } else if (result.getStatus() == Status.BUFFER_UNDERFLOW) {
        int n = layer.receive();
        if (n == ByteReader.PENDING) {
          return n;
        }
        truncated = n == ByteReader.EOF;
      } else if (!layer.hasPlain() && ++empty == TlsTuning.EMPTY_RECORDS_PER_POLL) {
        cx.waker().wake();
        return ByteReader.PENDING;
      }
    }
  }

  private SSLEngineResult decrypt(ByteBuffer target) throws IOException {
    try {
      SSLEngineResult result = layer.unwrap(target);
      if (result.getStatus() == Status.BUFFER_OVERFLOW) {
        result = layer.unwrapAside();
      }
      look(result);
      return result;
    } catch (Throwable t) {
      throw broken(t);
    }
  }

  private void look(SSLEngineResult result) throws SSLException {
    HandshakeStatus status = result.getHandshakeStatus();
    engineHasOutput = status == HandshakeStatus.NEED_WRAP;
    if (status == HandshakeStatus.NEED_TASK
        || (status == HandshakeStatus.NEED_UNWRAP && result.bytesConsumed() > 0)) {
      layer.engine.closeOutbound();
      throw new SSLException("the peer asked for another handshake, which is refused");
    }
  }

  // --- Writing ---

  /** As {@link ByteWriter#pollWriteVectored}, of as much as fits into a buffer. */
  long write(ByteBuffer[] sources) throws IOException {
    for (ByteBuffer source : sources) {
      requireUsable(source);
    }
    throwIfCannotSend();
    long taken = 0;
    while (remains(sources)) {
      if (outputEnded) {
        throw new IOException("output has been shut down");
      }
      if (!layer.hasRoomForData() && (taken > 0 || !sendSome())) {
        break;
      }
      taken += encrypt(sources);
    }
    if (engineHasOutput && layer.hasRoom()) {
      wrapControl();
    }
    send();
    return taken == 0 && remains(sources) ? ByteWriter.PENDING : taken;
  }

  static boolean remains(ByteBuffer[] sources) {
    for (ByteBuffer source : sources) {
      if (source.hasRemaining()) {
        return true;
      }
    }
    return false;
  }

  private int encrypt(ByteBuffer[] sources) throws IOException {
    SSLEngineResult result;
    try {
      result = layer.wrap(sources);
    } catch (Throwable t) {
      throw broken(t);
    }
    engineHasOutput = result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
    if (result.getStatus() == Status.CLOSED && result.bytesConsumed() == 0) {
      outputEnded = true;
      throw new IOException("the peer has closed, which in TLS 1.2 ends both directions");
    }
    if (result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
      throw broken(new SSLException("the TLS engine does not go on: " + result));
    }
    return result.bytesConsumed();
  }

  /** Sends what can be sent; whether there is room for data then. */
  private boolean sendSome() throws IOException {
    send();
    return layer.hasRoomForData();
  }

  /** As {@link ByteWriter#pollFlush}. */
  boolean flush() throws IOException {
    throwIfCannotSend();
    return sendAll();
  }

  /** As {@link ByteWriter#pollShutdown}. */
  boolean shutdown() throws IOException {
    throwIfCannotSend();
    if (!outputEnded) {
      outputEnded = true;
      layer.engine.closeOutbound();
    }
    engineHasOutput |= !layer.engine.isOutboundDone();
    return sendAll() && layer.transport.pollShutdown(layer.wakers.writing);
  }

  private boolean sendAll() throws IOException {
    while (engineHasOutput) {
      if (!layer.hasRoom()) {
        send();
        if (!layer.hasRoom()) {
          return false;
        }
      }
      wrapControl();
    }
    boolean unsent = layer.hasUnsent();
    boolean done = layer.flush();
    madeRoom |= unsent && done;
    return done;
  }

  /**
   * What the reader sends: all it can, without keeping it from reading.
   *
   * @return false if it must not read on before some of that has gone
   */
  private boolean sendBeside() throws IOException {
    if (!engineHasOutput && !layer.hasUnsent()) {
      return true;
    }
    layer.wakers.readerAwaitsRoom(true); // before the transport is asked, which may wake at once
    boolean sent;
    try {
      sent = sendAll();
    } catch (IOException e) {
      if (failure != null) {
        throw e;
      }
      sendingFailed(e); // what the peer sent before it went can still be read
      sent = true;
    }
    if (sent) {
      layer.wakers.readerAwaitsRoom(false);
    }
    return sent || !engineHasOutput;
  }

  private void sendingFailed(IOException e) {
    sendFailure = e;
    madeRoom = true; // who waits for room learns of it
    engineHasOutput = false;
    layer.discardUnsent();
  }

  /** Goes on with what is left, on behalf of nobody. */
  void sendRest() {
    try {
      send();
    } catch (IOException e) {
      sendingFailed(e);
    }
  }

  boolean hasUnsent() {
    return layer.hasUnsent();
  }

  private void send() throws IOException {
    boolean unsent = layer.hasUnsent();
    madeRoom |= layer.send() && unsent;
  }

  private void wrapControl() throws IOException {
    try {
      SSLEngineResult result = layer.wrapControl();
      engineHasOutput =
          result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && result.bytesProduced() > 0;
    } catch (Throwable t) {
      throw broken(t);
    }
  }

  // --- Ending ---

  /** Says goodbye if that can be done without waiting. The last thing that is done. */
  void close() {
    try {
      if (failure == null && !outputEnded) {
        outputEnded = true;
        layer.engine.closeOutbound();
        engineHasOutput = true;
      }
      layer.sendsForTheLastTime();
      sendAll();
    } catch (Throwable t) {
      // It goes without saying then.
    }
    layer.discard();
  }

  /** After a failure in the midst of the engine nothing of it can be relied on. */
  private IOException broken(Throwable cause) {
    if (failure == null) {
      failure = cause;
      engineHasOutput = false;
      tellPeer();
    }
    if (cause instanceof Error e) {
      throw e;
    }
    return cause instanceof IOException e ? e : new SSLException(Telling.of(cause), cause);
  }

  /** Sends the alert that the engine has made of a failure, as far as it goes now. */
  private void tellPeer() {
    try {
      Alerts.wrap(layer);
      layer.flush();
    } catch (Throwable t) {
      // The failure is what matters.
    }
  }

  private void throwIfFailed() throws IOException {
    Throwable cause = failure;
    if (cause != null) { // anew each time: with a trace of its own
      throw new SSLException("the connection has failed: " + Telling.of(cause), cause);
    }
  }

  private void throwIfCannotSend() throws IOException {
    throwIfFailed();
    if (sendFailure != null) {
      throw new IOException(Telling.of(sendFailure), sendFailure);
    }
  }

  /**
   * The engine would not survive memory that cannot be touched.
   *
   * @throws IllegalStateException if it has been freed
   * @throws WrongThreadException if it belongs to another thread
   */
  private static void requireUsable(ByteBuffer buffer) {
    if (!buffer.isDirect()) {
      return;
    }
    var segment = MemorySegment.ofBuffer(buffer);
    if (!segment.scope().isAlive()) {
      throw new IllegalStateException("the memory of a buffer has been freed: " + segment);
    }
    if (!segment.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException("a buffer of another thread: " + segment);
    }
  }
}
