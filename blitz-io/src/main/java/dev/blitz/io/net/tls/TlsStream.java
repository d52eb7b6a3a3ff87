package dev.blitz.io.net.tls;

import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.bytes.GuardedStream;
import dev.blitz.io.bytes.Halves;
import dev.blitz.io.future.Context;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.wait.LastLook;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * A TLS connection over another stream, which it owns: closing it closes that. Made by {@link
 * TlsServer#accept} or {@link TlsClient#connect}.
 *
 * <p>A stream of bytes like any other, and used like any other. What is particular:
 *
 * <ul>
 *   <li>A write is encrypted and handed to the stream below at once. If that has no room for all of
 *       it, the rest waits here, and is sent as soon as there is room. Buffers that are written by
 *       one {@link #writeVectored} share records.
 *   <li>{@link #shutdown} tells the peer by a close_notify. In TLS 1.2 the peer must answer in kind
 *       at once, so both directions end.
 *   <li>{@link #close} says close_notify if that takes no waiting.
 *   <li>A read of a connection that ended without the peer's close_notify fails with {@link
 *       TruncatedException}; one of a record that was tampered with with {@link
 *       javax.net.ssl.SSLException}, and so does everything after it.
 * </ul>
 */
/* Implementation notes
 *
 * Ownership: all that is behind `phase` belongs to whoever has the turn. A side sets its waker, then takes the turn,
 * so a turn that is given back wakes it. Progress: nobody waits for a turn. See docs/design/tls.md.
 */
public final class TlsStream extends GuardedStream {
  private final ByteStream transport;
  private final TransportWakers wakers;
  private final DataPhase phase;
  private final Agreement agreement;
  private final TurnState turn = new TurnState();
  private final Runnable sender = this::sendRest;
  private volatile boolean inputShut;

  private TlsStream(RecordLayer layer, Agreement agreement) {
    transport = layer.transport;
    wakers = layer.wakers;
    phase = new DataPhase(layer);
    this.agreement = agreement;
  }

  /** After a handshake, of which something may be left to be sent. */
  static TlsStream after(RecordLayer layer, Agreement agreement) {
    var stream = new TlsStream(layer, agreement);
    stream.sendRest();
    return stream;
  }

  // --- What was agreed on ---

  /** The version: {@code TLSv1.3} or {@code TLSv1.2}. */
  public String protocol() {
    return agreement.protocol();
  }

  /** The cipher suite, by its standard name. */
  public String cipherSuite() {
    return agreement.cipherSuite();
  }

  /** The application's protocol that both sides chose by ALPN, such as {@code h2}. */
  public Optional<String> applicationProtocol() {
    return agreement.applicationProtocol();
  }

  /** The host name that the client has asked for (SNI). */
  public Optional<String> serverName() {
    return agreement.serverName();
  }

  /** The peer's certificates, its own first; empty for a client that has shown none. */
  public List<X509Certificate> peerCertificates() {
    return agreement.peerCertificates();
  }

  // --- Bytes ---

  @Override
  protected int doRead(Context cx, ByteBuffer target) throws IOException {
    StackRoom.forOwner(); // the turn may end with a close
    if (!cx.proceed()) {
      return PENDING;
    }
    if (!target.hasRemaining()) {
      return nothing();
    }
    wakers.reader.set(cx.waker());
    if (!hasTurn(turn.takeForReader())) {
      LastLook.onItsWay(); // it is woken when the other side has ended its turn
      cx.refund();
      return PENDING;
    }
    int n = EOF;
    try {
      if (!inputShut) {
        n = phase.read(cx, target);
      }
    } finally {
      if (n != PENDING) {
        wakers.reader.clear();
      }
      boolean madeRoom = endTurn(n == PENDING);
      if (madeRoom) {
        wakers.writer.wake();
      }
    }
    if (n == PENDING) {
      cx.refund();
    }
    return n;
  }

  @Override
  protected int doWrite(Context cx, ByteBuffer source) throws IOException {
    return (int) doWriteVectored(cx, source);
  }

  @Override
  protected long doWriteVectored(Context cx, ByteBuffer... sources) throws IOException {
    StackRoom.forOwner(); // the turn may end with a close
    if (!cx.proceed()) {
      return PENDING;
    }
    if (!DataPhase.remains(sources)) {
      return nothing();
    }
    long n = writing(cx, () -> phase.write(sources));
    if (n == PENDING) {
      cx.refund();
    }
    return n;
  }

  @Override
  protected boolean doFlush(Context cx) throws IOException {
    StackRoom.forOwner(); // the turn may end with a close
    return writing(cx, () -> phase.flush() ? 0 : PENDING) != PENDING;
  }

  @Override
  protected boolean doShutdown(Context cx) throws IOException {
    StackRoom.forOwner(); // the turn may end with a close
    return writing(cx, () -> phase.shutdown() ? 0 : PENDING) != PENDING;
  }

  /** What the writing side does in a turn. */
  @FunctionalInterface
  private interface Step {
    long take() throws IOException;
  }

  private long writing(Context cx, Step step) throws IOException {
    wakers.writer.set(cx.waker());
    if (!hasTurn(turn.takeForWriter())) {
      LastLook.onItsWay(); // as for a read
      return PENDING;
    }
    long n = 0;
    try {
      n = step.take();
    } finally {
      if (n != PENDING) {
        wakers.writer.clear();
      }
      boolean madeRoom = endTurn(n == PENDING);
      if (madeRoom) {
        wakers.wakeReaderForRoom();
      }
    }
    return n;
  }

  /**
   * Any thread: there may be room, and nobody waits for it. If another has the turn, it goes on.
   */
  private void sendRest() {
    StackRoom.forCalls(); // to give the turn back
    if (turn.takeForWriter() == TurnState.Take.TAKEN && endTurn(false)) {
      wakers.writer.wake(); // one who goes sends too, and then the transport wakes nobody
      wakers.wakeReaderForRoom();
    }
  }

  private static boolean hasTurn(TurnState.Take taken) throws ClosedChannelException {
    if (taken == TurnState.Take.CLOSED) {
      throw new ClosedChannelException();
    }
    return taken == TurnState.Take.TAKEN;
  }

  /**
   * Sees to what is left to be sent, gives the turn back and wakes who wants it.
   *
   * @param waits whether the side stays in its slot, and is woken when there is room
   * @return whether something was sent, so that the other side may go on
   */
  private boolean endTurn(boolean waits) {
    boolean madeRoom;
    try {
      if (phase.hasUnsent()) {
        wakers.sender(sender);
        if (!waits) {
          // A wake that came before the side was taken out of its slot is lost, so ask once more.
          phase.sendRest();
        }
      }
      if (!phase.hasUnsent()) {
        wakers.sender(null);
      }
    } finally {
      madeRoom = phase.takeMadeRoom();
      releaseTurn();
    }
    return madeRoom;
  }

  private void releaseTurn() {
    TurnState.Release next = turn.release();
    if (next != TurnState.Release.CLOSE_FIRST) {
      wake(next);
      return;
    }
    try {
      closeInTurn();
    } finally {
      wake(turn.release());
    }
  }

  private void wake(TurnState.Release who) {
    if (who == TurnState.Release.READER || who == TurnState.Release.BOTH) {
      wakers.reader.wake();
    }
    if ((who == TurnState.Release.WRITER || who == TurnState.Release.BOTH)
        && !wakers.writer.wake()) {
      wakers.send(); // it was not the writer that wanted the turn
    }
  }

  /** What a read or write of no bytes answers. */
  private int nothing() throws ClosedChannelException {
    if (turn.isClosed()) {
      throw new ClosedChannelException();
    }
    return 0;
  }

  @Override
  public void forgetRead() {
    StackRoom.forCalls();
    wakers.reader.clear();
    wakers.send(); // it may have been woken for that
  }

  @Override
  public void forgetWrite() {
    StackRoom.forCalls();
    wakers.writer.clear();
    wakers.send();
  }

  // --- Ending ---

  /** Ends reading; writing goes on. What the peer sends about keys is not looked at any more. */
  @Override
  public void shutdownInput() {
    inputShut = true;
    wakers.reader.wake();
  }

  /**
   * Closes the connection and the stream below. Pending operations end with {@link
   * ClosedChannelException}. The peer is told by a close_notify, and gets what was written before,
   * as far as the stream below takes it at once: {@link #shutdown} first if that matters.
   */
  @Override
  public void close() {
    StackRoom.forOwner();
    if (turn.close() == TurnState.Close.CLOSE_NOW) {
      try {
        closeInTurn();
      } finally {
        wake(turn.release());
      }
    }
  }

  private void closeInTurn() {
    boolean closed = false;
    try {
      phase.close();
      wakers.sender(null);
      transport.close();
      closed = true;
    } finally {
      if (!closed) { // another TLS stream, say, asks for as much stack as this one
        turn.closeFailed();
      }
      wakers.reader.wake();
      wakers.writer.wake();
    }
  }

  /** Whether {@link #close} has not been called. */
  public boolean isOpen() {
    return !turn.isClosed();
  }

  /** Splits the stream for two owners; see {@link Halves}. */
  @Override
  public Halves<TlsStream> split() {
    return Halves.of(this);
  }

  @Override
  public String toString() {
    return "TlsStream["
        + (turn.isClosed() ? "closed" : agreement.protocol() + " over " + Telling.of(transport))
        + "]";
  }
}
