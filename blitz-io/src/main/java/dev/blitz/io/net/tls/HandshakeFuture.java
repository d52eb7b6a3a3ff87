package dev.blitz.io.net.tls;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.services.Services;
import dev.blitz.io.internal.wait.SleepFuture;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.TaskFailedException;
import java.io.IOException;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * A handshake. Owns the transport: whether it fails, is dropped or takes too long, that is closed.
 *
 * <p>What the engine calls tasks, signatures and checks of certificates, runs on threads kept for
 * that; meanwhile the engine is theirs and is not touched here. Outside a runtime, where the caller
 * may block, they run at once, and there is no time-out.
 */
final class HandshakeFuture implements IoFuture<TlsStream> {
  private final ByteStream transport;
  private final Peers peers;
  private final Optional<String> host;
  private final int port;

  private @Nullable RecordLayer layer;
  private @Nullable Services services;
  private @Nullable SleepFuture limit;
  private @Nullable Tasks tasks;
  private @Nullable IOException failure;
  private String waitsFor = "its first poll";
  private boolean ended;

  /**
   * Not begun.
   *
   * @param host the server, for its client; none at the server
   */
  HandshakeFuture(ByteStream transport, Peers peers, Optional<String> host, int port) {
    this.transport = transport;
    this.peers = peers;
    this.host = host;
    this.port = port;
  }

  /** The tasks of an engine, running. */
  private static final class Tasks {
    private final SSLEngine engine;
    volatile boolean abandoned;
    @Nullable JoinHandle<Done> handle;

    Tasks(SSLEngine engine) {
      this.engine = engine;
    }

    Done run() {
      for (Runnable next; !abandoned && (next = engine.getDelegatedTask()) != null; ) {
        next.run();
      }
      return Done.DONE;
    }
  }

  @Override
  public @Nullable TlsStream poll(Context cx) throws IOException {
    StackRoom.forOwner();
    if (ended) {
      throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    }
    TlsStream stream;
    try {
      RecordLayer records = layer != null ? layer : begin();
      records.wakers.reader.set(cx.waker());
      stream = advance(records, cx);
      if (stream == null) {
        refuseIfLate(cx);
        return null;
      }
      records.wakers.reader.clear();
    } catch (Throwable t) {
      end();
      throw t;
    }
    ended = true;
    endLimit();
    return stream;
  }

  private RecordLayer begin() throws IOException {
    Home home = Current.home();
    if (home != null) {
      services = (Services) home.api(); // of every runtime it is one
      limit = new SleepFuture(peers.handshakeTimeout());
    }
    var records = new RecordLayer(peers.newEngine(host, port), transport, peers.buffers());
    layer = records;
    records.engine.beginHandshake();
    return records;
  }

  private void refuseIfLate(Context cx) throws IOException {
    if (limit != null && limit.poll(cx) != null) {
      limit = null;
      var late =
          new TimedOutException(
              this
                  + " took longer than "
                  + peers.handshakeTimeout()
                  + ": it waited for "
                  + waitsFor);
      if (failure != null) { // the reason; only the peer could not be told
        Telling.suppress(failure, late);
        throw failure;
      }
      throw late;
    }
  }

  private @Nullable TlsStream advance(RecordLayer records, Context cx) throws IOException {
    for (; ; ) {
      if (tasks != null && !awaitTasks(tasks, cx)) {
        return null;
      }
      if (failure != null) {
        return endFailed(records, failure);
      }
      try {
        switch (records.engine.getHandshakeStatus()) {
          case NEED_TASK -> runTasks(records.engine);
          case NEED_WRAP -> {
            if (!speak(records)) {
              return null;
            }
          }
          case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
            if (!listen(records, cx)) {
              return null;
            }
          }
          case FINISHED, NOT_HANDSHAKING -> {
            return agree(records);
          }
        }
      } catch (SSLException e) {
        failure = e;
        Alerts.wrap(records);
      }
    }
  }

  /** The alert that tells the peer is sent before the caller is told. */
  private @Nullable TlsStream endFailed(RecordLayer records, IOException failure)
      throws IOException {
    try {
      if (!sent(records)) {
        return null;
      }
    } catch (IOException e) {
      Telling.suppress(failure, e);
    }
    throw failure;
  }

  // --- Tasks ---

  private void runTasks(SSLEngine engine) {
    var begun = new Tasks(engine);
    Services here = services;
    if (here == null) {
      begun.run();
    } else {
      begun.handle = here.handshake(begun::run);
      tasks = begun;
    }
  }

  private boolean awaitTasks(Tasks running, Context cx) throws IOException {
    waitsFor = "the check of a certificate, or a signature";
    JoinHandle<Done> handle = running.handle;
    try {
      if (handle != null && handle.poll(cx) == null) {
        return false;
      }
    } catch (TaskFailedException e) {
      throw new SSLException("a task of the TLS engine failed: " + e.getMessage(), e);
    }
    tasks = null;
    return true;
  }

  // --- Records ---

  private boolean speak(RecordLayer records) throws IOException {
    if (!records.hasRoom() && !sent(records)) {
      return false;
    }
    if (records.wrapControl().getStatus() == Status.CLOSED) {
      throw closedEarly();
    }
    return true;
  }

  private boolean listen(RecordLayer records, Context cx) throws IOException {
    if (sent(records)) { // if not, the peer may first have to send what it has
      waitsFor = "bytes of the peer";
    }
    Status status = records.unwrap(RecordBuffers.NONE).getStatus();
    if (status == Status.CLOSED) {
      throw closedEarly();
    }
    if (status != Status.BUFFER_UNDERFLOW) {
      return true;
    }
    if (!cx.proceed()) {
      return false;
    }
    int n = records.receive();
    if (n == ByteReader.EOF) {
      throw closedEarly();
    }
    if (n == ByteReader.PENDING) {
      cx.refund();
      return false;
    }
    return true;
  }

  private static SSLHandshakeException closedEarly() {
    return new SSLHandshakeException("the peer closed the connection during the handshake");
  }

  /** Sends all; the transport's wake for room comes to us as well. */
  private boolean sent(RecordLayer records) throws IOException {
    waitsFor = "room to send to the peer";
    records.wakers.readerAwaitsRoom(true);
    boolean all = records.flush();
    records.wakers.readerAwaitsRoom(!all);
    return all;
  }

  private @Nullable TlsStream agree(RecordLayer records) throws IOException {
    var agreement = Agreement.of(records.engine, host);
    boolean all = sent(records);
    // A server in TLS 1.3 ends with tickets, which its client need not await, nor read at once.
    boolean tickets =
        !records.engine.getUseClientMode() && agreement.protocol().equals(TlsConfig.TLS_1_3);
    if (!all && !tickets) {
      return null;
    }
    records.wakers.readerAwaitsRoom(false);
    return TlsStream.after(records, agreement);
  }

  // --- Ending ---

  /** If there is no stack for it nothing has happened, and it can be dropped again. */
  private void end() {
    try {
      transport.close(); // asks for what the rest needs too
    } catch (StackOverflowError e) {
      throw e;
    } catch (Throwable t) {
      letGo();
      throw t;
    }
    letGo();
  }

  private void letGo() {
    ended = true;
    Tasks running = tasks;
    if (running != null) {
      tasks = null;
      running.abandoned = true; // it is not interrupted: that might harm what tasks share
    } else if (layer != null) {
      layer.discard();
    }
    if (layer != null) {
      layer.wakers.reader.clear();
    }
    endLimit();
  }

  private void endLimit() {
    SleepFuture unused = limit;
    if (unused != null) {
      limit = null;
      unused.drop();
    }
  }

  @Override
  public void drop() {
    if (!ended) {
      end();
    }
  }

  @Override
  public String toString() {
    return "a TLS handshake with "
        + host.map(name -> name + " over ").orElse("a client over ")
        + Telling.of(transport);
  }
}
