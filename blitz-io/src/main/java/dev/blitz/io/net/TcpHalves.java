package dev.blitz.io.net;

/**
 * A stream split for two owners.
 *
 * {@snippet :
 * var halves = stream.split();
 * Task.spawn(copy(halves.reader(), log));
 * Task.spawn(send(queue, halves.writer()));
 * }
 *
 * @param reader reads; closing it ends reading
 * @param writer writes; closing it tells the peer that nothing more comes
 */
public record TcpHalves(TcpReadHalf reader, TcpWriteHalf writer) {

  /** What the two know of each other. */
  static final class Shared {
    private final TcpStream stream;
    private boolean readerEnded;
    private boolean writerEnded;
    private boolean reunited;

    Shared(TcpStream stream) {
      this.stream = stream;
    }

    /** The stream, whatever has happened to the halves. */
    TcpStream whole() {
      return stream;
    }

    /** The stream, for a half that has not ended. */
    synchronized TcpStream stream(boolean reader) {
      if (reunited) {
        throw new IllegalStateException("the halves have been reunited: use the stream");
      }
      if (reader ? readerEnded : writerEnded) {
        throw new IllegalStateException("this half has been closed");
      }
      return stream;
    }

    /** A half ends; the second one closes the stream. False if it had ended. */
    synchronized boolean end(boolean reader) {
      if (reunited || (reader ? readerEnded : writerEnded)) {
        return false;
      }
      if (reader) {
        readerEnded = true;
      } else {
        writerEnded = true;
      }
      if (readerEnded && writerEnded) {
        stream.close();
      }
      return true;
    }

    synchronized TcpStream reunite() {
      if (reunited || readerEnded || writerEnded) {
        throw new IllegalStateException("a half that has ended cannot be reunited");
      }
      reunited = true;
      stream.becomeWhole();
      return stream;
    }
  }
}
