package dev.blitz.io.net.tls;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.wait.WakerSlot;
import org.jspecify.annotations.Nullable;

/**
 * Who is woken by the transport of a TLS stream. The transport knows only the two wakers made here,
 * whoever polls it: so a reader that has to write, because of a key update, takes no wake from the
 * writer, and what was polled by one side may be gone on with by the other. If nobody waits, what
 * is left to be sent is sent by the wake itself.
 *
 * <p>Knows its stream only while something is left: what the transport keeps does not keep a stream
 * that nobody has any more.
 */
/* Implementation notes
 *
 *   reader, writer   the wakers of the two sides; see WakerSlot. A side sets its waker before it polls the transport.
 *   readerAwaitsRoom written in a turn, before the transport is polled; read by a wake. Volatile.
 *   sender           written in a turn, before the transport is polled for the last time in it; read by a wake. Volatile.
 */
final class TransportWakers {
  final WakerSlot reader = new WakerSlot();
  final WakerSlot writer = new WakerSlot();

  /** With what the transport is polled for reading. Has no budget: that is the caller's. */
  final Context reading = Context.of(reader::wake);

  /** With what it is polled for writing. */
  final Context writing = Context.of(this::wakeForRoom);

  private volatile boolean readerAwaitsRoom;
  private volatile @Nullable Runnable sender;

  /** Who goes on with sending if there is room and nobody waits for it; null if nothing is left. */
  void sender(@Nullable Runnable next) {
    if (sender != next) {
      sender = next;
    }
  }

  /** Whether the reader has something to send and waits for that too. */
  void readerAwaitsRoom(boolean awaits) {
    if (readerAwaitsRoom != awaits) {
      readerAwaitsRoom = awaits;
    }
  }

  /** There may be room: wakes those who wait for it, or else sends what is left. */
  void wakeForRoom() {
    boolean somebody = writer.wake();
    if (wakeReaderForRoom() || somebody) {
      return;
    }
    send();
  }

  /** Sends what is left, if there is something. */
  void send() {
    Runnable next = sender;
    if (next != null) {
      next.run();
    }
  }

  /** Wakes the reader if it waits for room. */
  boolean wakeReaderForRoom() {
    return readerAwaitsRoom && reader.wake();
  }
}
