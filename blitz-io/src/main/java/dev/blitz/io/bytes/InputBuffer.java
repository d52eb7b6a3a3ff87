package dev.blitz.io.bytes;

import dev.blitz.io.internal.base.StackRoom;
import java.nio.ByteBuffer;

/**
 * Bytes that were read and not used yet, in an array that grows while they are not used. Two
 * buffers over it: the position of {@code bytes} is the first that was not used, the position of
 * {@code room} is behind the last that was read. Nothing else says what was used, so whoever moves
 * a position has done all there is to do, and an Error in between loses nothing.
 *
 * <p>The array is at most about twice as large as what lay in it unused, and never grows for bytes
 * that have not come. After a burst it goes back to its size.
 */
final class InputBuffer {
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  /** So often in a row less room must have sufficed before the array is let go of. */
  private static final int PATIENCE = 8;

  /** The size it has as a rule, and the one to which it goes if each read fills it. */
  private final int least;

  private final int most;

  private ByteBuffer bytes = NONE;
  private ByteBuffer room = NONE;

  /** How many bytes were used that are in the array no more. */
  private long gone;

  private int filledUp;
  private int tooLarge;

  InputBuffer(int least, int most) {
    this.least = least;
    this.most = most;
  }

  /** What was not used, from the position to the limit. Valid until more is read. */
  ByteBuffer bytes() {
    return bytes.limit(room.position());
  }

  int size() {
    return room.position() - bytes.position();
  }

  /** How many bytes have been used. */
  long consumed() {
    return gone + bytes.position();
  }

  /** At least one free byte, from the position to the limit. */
  ByteBuffer room() {
    if (size() == 0) {
      restart();
    } else if (!room.hasRemaining()) {
      makeRoom();
    }
    return room;
  }

  /** All has been used. */
  private void restart() {
    int size = wantedSize();
    if (size != bytes.capacity()) {
      move(size);
      return;
    }
    StackRoom.forStep(); // between the two all bytes were there again
    gone += bytes.position();
    bytes.limit(0);
    room.position(0);
  }

  private int wantedSize() {
    int now = bytes.capacity();
    if (now < least) {
      return least;
    }
    int used = room.position();
    if (used == 0) {
      return now; // nothing has come since it was asked for last
    }
    filledUp = used == now ? filledUp + 1 : 0;
    if (filledUp > 1 && now < most) {
      return Math.min(most, 4 * now);
    }
    tooLarge = used <= least ? tooLarge + 1 : 0;
    return tooLarge > PATIENCE ? least : now;
  }

  private void makeRoom() {
    int used = bytes.position();
    int size = size();
    if (used == 0 || used < room.capacity() / 2) {
      move(grown(room.capacity()));
      return;
    }
    StackRoom.forStep();
    room.put(0, bytes(), used, size);
    gone += used;
    bytes.position(0);
    room.position(size);
  }

  /** Twice as much; near the end of the numbers what there is. */
  private static int grown(int size) {
    int most = Integer.MAX_VALUE - 8;
    if (size == most) {
      throw new OutOfMemoryError("more bytes are kept unused than an array can have");
    }
    return size > most / 2 ? most : Math.max(2 * size, 16);
  }

  /** To another array: all is made before anything is changed. */
  private void move(int capacity) {
    byte[] array = new byte[capacity];
    int size = size();
    int used = bytes.position();
    bytes().get(used, array, 0, size);
    ByteBuffer nextBytes = ByteBuffer.wrap(array);
    ByteBuffer nextRoom = ByteBuffer.wrap(array).position(size);
    gone += used;
    bytes = nextBytes;
    room = nextRoom;
    filledUp = 0;
    tooLarge = 0;
  }

  @Override
  public String toString() {
    return size() + " bytes";
  }
}
