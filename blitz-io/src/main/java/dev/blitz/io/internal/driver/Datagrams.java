package dev.blitz.io.internal.driver;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams that go or come together, in memory of their own: the same room for each. Those that
 * were sent leave it at the front. For one operation at a time.
 */
public final class Datagrams {
  private final int capacity;
  private final int bytesEach;
  private final MemorySegment memory;
  private final @Nullable SocketAddress[] addresses;
  private final int[] lengths;
  private int head;
  private int tail;

  /** What a receive has met after it had got some: to be told by the next one. */
  private @Nullable IOException failure;

  /** What a backend needs to hand all of them to the system; made by the first that does. */
  private @Nullable Object prepared;

  /** Room for {@code capacity} datagrams of {@code bytesEach}. */
  public Datagrams(int capacity, int bytesEach) {
    this.capacity = capacity;
    this.bytesEach = bytesEach;
    memory = Arena.ofAuto().allocate(Math.max(1, (long) capacity * bytesEach), 8);
    addresses = new SocketAddress[capacity];
    lengths = new int[capacity];
  }

  public int capacity() {
    return capacity;
  }

  public int bytesEach() {
    return bytesEach;
  }

  /** All of it: the room of each, one after the other. */
  public MemorySegment memory() {
    return memory;
  }

  /** How many there are. */
  public int size() {
    return tail - head;
  }

  /** Whether none can be added. Where some have left, there is room only when all have. */
  public boolean isFull() {
    return tail == capacity;
  }

  /** The place of the {@code index}-th. */
  public int place(int index) {
    return head + index;
  }

  /** Who has sent it, or is to get it; null for the peer that the socket is connected to. */
  public @Nullable SocketAddress address(int index) {
    return addresses[head + index];
  }

  /** The length that it has, or had: not all of it need be there. */
  public int length(int index) {
    return lengths[head + index];
  }

  /** The bytes that are there. */
  public ByteBuffer bytes(int index) {
    return room(head + index).limit(Math.min(length(index), bytesEach));
  }

  /** The room at a place. */
  private ByteBuffer room(int place) {
    return memory.asSlice((long) place * bytesEach, bytesEach).asByteBuffer();
  }

  /** Where the first one goes if there is none. */
  ByteBuffer firstRoom() {
    return room(0);
  }

  /** Where the next one goes that is added; it is not {@linkplain #isFull full}. */
  ByteBuffer nextRoom() {
    return room(tail);
  }

  /** What lies in the next room is a datagram. */
  public void add(@Nullable SocketAddress address, int length) {
    addresses[tail] = address;
    lengths[tail++] = length;
  }

  /** Adds one with a copy of what remains in {@code source}, whose position stays. */
  public void add(@Nullable SocketAddress address, ByteBuffer source) {
    nextRoom().put(source.duplicate());
    add(address, source.remaining());
  }

  /** The first {@code count} are there no more. */
  public void remove(int count) {
    Arrays.fill(addresses, head, head + count, null);
    head += count;
    if (head == tail) {
      head = 0;
      tail = 0;
    }
  }

  /** None is there any more. */
  public void clear() {
    remove(size());
  }

  /** See {@link #takeFailure}. */
  void failedAfter(IOException cause) {
    failure = cause;
  }

  /** What the last receive met after it had got some, if anything; once. */
  public @Nullable IOException takeFailure() {
    IOException told = failure;
    failure = null;
    return told;
  }

  /** What a backend has left here. */
  public @Nullable Object prepared() {
    return prepared;
  }

  /** Leaves something for the next call; it is of use for this one only. */
  public void prepare(Object form) {
    prepared = form;
  }
}
