package dev.blitz.io.bytes;

import dev.blitz.io.internal.base.StackRoom;
import java.nio.ByteBuffer;

/**
 * Bytes that were taken and not passed on yet. As in {@link InputBuffer} two positions are all that
 * is counted: that of {@code waiting} is the first that was not passed on, that of {@code room} is
 * behind the last that was taken.
 */
final class OutputBuffer {
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private final int capacity;
  private ByteBuffer waiting = NONE;
  private ByteBuffer room = NONE;

  OutputBuffer(int capacity) {
    this.capacity = capacity;
  }

  boolean isEmpty() {
    return waiting.position() == room.position();
  }

  /** What is to be passed on, from the position to the limit. */
  ByteBuffer waiting() {
    return waiting.limit(room.position());
  }

  /** Where more can be taken to, perhaps nowhere, until what waits has been passed on. */
  ByteBuffer room() {
    if (room == NONE) {
      byte[] array = new byte[capacity];
      ByteBuffer nextWaiting = ByteBuffer.wrap(array);
      ByteBuffer nextRoom = ByteBuffer.wrap(array);
      waiting = nextWaiting;
      room = nextRoom;
    } else if (isEmpty() && room.position() > 0) {
      StackRoom.forStep(); // between the two all bytes were to be passed on again
      waiting.limit(0);
      room.position(0);
    }
    return room;
  }

  @Override
  public String toString() {
    return (room.position() - waiting.position()) + " bytes";
  }
}
