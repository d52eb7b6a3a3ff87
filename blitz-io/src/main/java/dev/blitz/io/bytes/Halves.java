package dev.blitz.io.bytes;

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
  static final class Pair<S extends ByteStream> {
    final S stream;
    private boolean readerEnded;
    private boolean writerEnded;
    private boolean reunited;

    Pair(S stream) {
      this.stream = stream;
    }

    /** The reading half ends; the second half to end closes the stream. False if it had ended. */
    synchronized boolean endReader() {
      if (reunited || readerEnded) {
        return false;
      }
      readerEnded = true;
      closeIfBothEnded();
      return true;
    }

    /** As {@link #endReader}. */
    synchronized boolean endWriter() {
      if (reunited || writerEnded) {
        return false;
      }
      writerEnded = true;
      closeIfBothEnded();
      return true;
    }

    private void closeIfBothEnded() {
      if (readerEnded && writerEnded) {
        stream.close();
      }
    }

    synchronized S reunite(Side reading, Side writing) {
      if (reunited || readerEnded || writerEnded) {
        throw new IllegalStateException("a half that has ended cannot be reunited");
      }
      claimBoth(reading, this, writing, this); // so nothing is pending
      reading.retire("the halves have been reunited: use the stream");
      writing.retire("the halves have been reunited: use the stream");
      reunited = true;
      if (stream instanceof GuardedStream guarded) {
        guarded.reading.release();
        guarded.writing.release();
      }
      return stream;
    }
  }
}
