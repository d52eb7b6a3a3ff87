package dev.blitz.io.bytes;

import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.StackRoom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A stream split for two owners. The stream itself refuses to be used until the halves are
 * {@linkplain ReadHalf#reunite reunited}; closing it still closes everything.
 *
 * {@snippet :
 * var halves = Halves.of(stream);
 * Task.spawn(copy(halves.reader(), log));
 * Task.spawn(send(queue, halves.writer()));
 * }
 *
 * @param <S> the kind of stream
 * @param reader reads; closing it ends reading
 * @param writer writes; closing it tells the peer that nothing more comes
 */
public record Halves<S extends ByteStream>(ReadHalf<S> reader, WriteHalf<S> writer) {

  /**
   * Splits {@code stream}.
   *
   * @throws IllegalStateException if it has been split, or an operation on it is pending
   */
  public static <S extends ByteStream> Halves<S> of(S stream) {
    var pair = new Pair<>(stream);
    var halves = new Halves<>(new ReadHalf<>(pair), new WriteHalf<>(pair));
    if (stream instanceof GuardedStream guarded) {
      claimBoth(guarded.reading, halves.reader, guarded.writing, halves.writer);
    }
    return halves;
  }

  private static void claimBoth(Side reading, Object reader, Side writing, Object writer) {
    reading.claim(reader);
    try {
      writing.claim(writer);
    } catch (IllegalStateException e) {
      reading.release();
      throw e;
    }
  }

  /** What the two know of each other. */
  /* Implementation notes
   *
   *   0            -> READER_ENDED   endReader, by anyone; likewise WRITER_ENDED
   *   one of them  -> both           the other one ends, who then closes the stream
   *   0            -> REUNITED       reunite, while it has both sides
   *
   * Each by compareAndSet, with nothing held: a lock would be held while a stream is closed, which may be anybody's
   * code, by workers and by virtual threads that need them.
   */
  static final class Pair<S extends ByteStream> {
    private static final VarHandle ENDED = Fields.of(MethodHandles.lookup(), "ended", int.class);

    private static final int READER_ENDED = 1;
    private static final int WRITER_ENDED = 2;
    private static final int REUNITED = 4;

    final S stream;

    @SuppressWarnings("UnusedVariable") // through ENDED
    private volatile int ended;

    Pair(S stream) {
      this.stream = stream;
    }

    /** The reading half ends; the second half to end closes the stream. False if it had ended. */
    boolean endReader() {
      return end(READER_ENDED);
    }

    /** As {@link #endReader}. */
    boolean endWriter() {
      return end(WRITER_ENDED);
    }

    private boolean end(int half) {
      for (; ; ) {
        int before = ended;
        if ((before & (half | REUNITED)) != 0) {
          return false;
        }
        if (ENDED.compareAndSet(this, before, before | half)) {
          if (before != 0) {
            closeStream(before);
          }
          return true;
        }
      }
    }

    /** Both have ended, so nobody changes it beside us. */
    private void closeStream(int before) {
      try {
        stream.close();
      } catch (StackOverflowError e) {
        ENDED.setVolatile(this, before); // this half can be closed again
        throw e;
      }
    }

    S reunite(Side reading, Side writing) {
      StackRoom.forWake(); // to the end, once it has begun
      requireWhole(ended == 0);
      claimBoth(reading, this, writing, this); // so nothing is pending
      if (!ENDED.compareAndSet(this, 0, REUNITED)) {
        reading.release();
        writing.release();
        requireWhole(false);
      }
      reading.retire("the halves have been reunited: use the stream");
      writing.retire("the halves have been reunited: use the stream");
      if (stream instanceof GuardedStream guarded) {
        guarded.reading.release();
        guarded.writing.release();
      }
      return stream;
    }

    private static void requireWhole(boolean whole) {
      if (!whole) {
        throw new IllegalStateException("a half that has ended cannot be reunited");
      }
    }
  }
}
