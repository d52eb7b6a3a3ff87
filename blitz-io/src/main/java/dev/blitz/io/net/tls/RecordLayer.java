package dev.blitz.io.net.tls;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.bytes.ByteWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/**
 * Moves records between an engine and a transport, and has the buffers in between. Never waits. One
 * thread at a time: the handshake first, then whoever has the stream's turn.
 *
 * <p>It has a buffer only while there is something in it. A part of a record that is waited for is
 * kept in an array of its size.
 */
final class RecordLayer {
  private static final ByteBuffer[] NO_DATA = {RecordBuffers.NONE};

  final SSLEngine engine;
  final ByteStream transport;
  final TransportWakers wakers = new TransportWakers();
  private final RecordBuffers records;
  private final RecordBuffers plaintexts;

  /** Received and not decrypted: from position to limit. */
  private ByteBuffer in = RecordBuffers.NONE;

  /** Encrypted and not sent. */
  private ByteBuffer out = RecordBuffers.NONE;

  /** Decrypted and not read. */
  private ByteBuffer plain = RecordBuffers.NONE;

  /** Nobody comes back to send the rest. */
  private boolean closing;

  RecordLayer(SSLEngine engine, ByteStream transport, TlsBuffers buffers) {
    this.engine = engine;
    this.transport = transport;
    this.records = buffers.records();
    this.plaintexts = buffers.plaintexts();
  }

  // --- Receiving ---

  /** Asks the transport for more; as {@link ByteReader#pollRead}. */
  int receive() throws IOException {
    ByteBuffer target = in;
    if (records.isOne(target)) {
      target.compact();
    } else {
      target = records.take();
      target.clear().put(in);
      in = target;
    }
    int n;
    try {
      n = transport.pollRead(wakers.reading, target);
    } finally {
      target.flip();
      if (!target.hasRemaining()) {
        in = RecordBuffers.NONE;
        records.give(target);
      }
    }
    if (n == ByteReader.PENDING && in.hasRemaining()) {
      in = ByteBuffer.wrap(copyOf(target));
      records.give(target);
    }
    return n;
  }

  private static byte[] copyOf(ByteBuffer buffer) {
    byte[] copy = new byte[buffer.remaining()];
    buffer.get(buffer.position(), copy);
    return copy;
  }

  /** Decrypts a record into {@code target}, or says what is missing. */
  SSLEngineResult unwrap(ByteBuffer target) throws SSLException {
    SSLEngineResult result = engine.unwrap(in, target);
    if (!in.hasRemaining()) {
      discardReceived();
    }
    return result;
  }

  /** As {@link #unwrap}, for a target that is too small: what it yields is {@link #takePlain}. */
  SSLEngineResult unwrapAside() throws SSLException {
    int needed = engine.getSession().getApplicationBufferSize();
    ByteBuffer aside = plaintexts.take();
    if (aside.capacity() < needed) { // of a peer that makes records of more than the usual size
      plaintexts.give(aside);
      aside = ByteBuffer.allocate(needed);
    }
    plain = aside;
    aside.clear();
    SSLEngineResult result;
    try {
      result = unwrap(aside);
    } finally {
      aside.flip();
      endPlain();
    }
    return result;
  }

  boolean hasPlain() {
    return plain.hasRemaining();
  }

  /** Moves what was decrypted aside. */
  int takePlain(ByteBuffer target) {
    int n = Math.min(plain.remaining(), target.remaining());
    target.put(target.position(), plain, plain.position(), n);
    target.position(target.position() + n);
    plain.position(plain.position() + n);
    endPlain();
    return n;
  }

  private void endPlain() {
    if (!plain.hasRemaining()) {
      discardPlain();
    }
  }

  // --- Sending ---

  /** Whether one more record can be made. */
  boolean hasRoom() {
    return hasRoom(1);
  }

  /** Whether one more record can be made and there is still room for one of the engine's. */
  boolean hasRoomForData() {
    return hasRoom(2);
  }

  private boolean hasRoom(int records) {
    return !out.hasRemaining() || out.capacity() - out.remaining() >= records * packetBytes();
  }

  private int packetBytes() {
    return engine.getSession().getPacketBufferSize();
  }

  /** Makes a record of what the engine has to say. Needs {@link #hasRoom}. */
  SSLEngineResult wrapControl() throws SSLException {
    return wrap(NO_DATA);
  }

  /** Makes a record of the sources, or of what the engine has to say first. Needs room. */
  SSLEngineResult wrap(ByteBuffer[] sources) throws SSLException {
    ByteBuffer target = roomy();
    int begin = target.position();
    int end = target.limit();
    target.limit(target.capacity()).position(end);
    try {
      return engine.wrap(sources, target);
    } finally {
      end = target.position();
      target.limit(end).position(begin);
      endOut();
    }
  }

  private ByteBuffer roomy() {
    if (!out.hasRemaining()) {
      int needed = packetBytes();
      ByteBuffer fresh = records.take();
      if (fresh.capacity() < needed) {
        fresh = ByteBuffer.allocate(needed).limit(0);
      }
      out = fresh;
    } else if (out.capacity() - out.limit() < packetBytes()) {
      out.compact().flip();
    }
    return out;
  }

  boolean hasUnsent() {
    return out.hasRemaining();
  }

  /** Hands on what was encrypted; whether that is all. */
  boolean send() throws IOException {
    while (out.hasRemaining()) {
      int n = closing ? transport.tryWrite(out) : transport.pollWrite(wakers.writing, out);
      if (n == ByteWriter.PENDING) {
        return false;
      }
    }
    endOut();
    return true;
  }

  /**
   * From now on what is sent is tried, not polled: a poll may say "pending" though there is room,
   * because an earlier write is on its way, and nobody would come back for the rest.
   */
  void sendsForTheLastTime() {
    closing = true;
  }

  private void endOut() {
    if (!out.hasRemaining()) {
      discardUnsent();
    }
  }

  /** As {@link #send}, and through what is below. */
  boolean flush() throws IOException {
    return send() && transport.pollFlush(wakers.writing);
  }

  // --- Giving buffers back: first it is let go of, for then it is another connection's. ---

  /** What was encrypted will never be sent. */
  void discardUnsent() {
    ByteBuffer old = out;
    out = RecordBuffers.NONE;
    records.give(old);
  }

  private void discardReceived() {
    ByteBuffer old = in;
    in = RecordBuffers.NONE;
    records.give(old);
  }

  private void discardPlain() {
    ByteBuffer old = plain;
    plain = RecordBuffers.NONE;
    plaintexts.give(old);
  }

  /** Gives all buffers back. */
  void discard() {
    discardUnsent();
    discardReceived();
    discardPlain();
  }
}
