package dev.blitz.io.bytes;

/**
 * A connection in memory: what is written to one end is read from the other. For tests of protocols
 * without a socket, and between two tasks.
 *
 * {@snippet :
 * var duplex = Duplex.ofCapacity(8192);
 * Task.spawn(() -> serve(duplex.far()));
 * try (var client = duplex.near()) {
 *   ask(client, question, answer);
 * }
 * }
 *
 * <p>The ends behave as those of a socket: a writer waits while its direction is full, {@code
 * shutdown} is the end for the peer, who can still answer, and after a {@code close} the peer reads
 * what was written before, then the end; its writes fail.
 *
 * @param near one end
 * @param far the other
 */
public record Duplex(ByteStream near, ByteStream far) implements AutoCloseable {

  /**
   * A new connection.
   *
   * @param capacity how many bytes each direction holds that were written and not read
   */
  public static Duplex ofCapacity(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("a capacity of " + capacity + " holds nothing");
    }
    var there = new MemoryLane(capacity);
    var back = new MemoryLane(capacity);
    return new Duplex(new MemoryStream(back, there), new MemoryStream(there, back));
  }

  /** Closes both ends. */
  @Override
  public void close() {
    near.close();
    far.close();
  }
}
