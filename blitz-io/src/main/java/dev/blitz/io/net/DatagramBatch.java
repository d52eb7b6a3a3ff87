package dev.blitz.io.net;

import dev.blitz.io.internal.driver.Datagrams;
import dev.blitz.io.internal.driver.UnixName;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams that are received, or sent, by one call: {@link DatagramIo#receiveMany} and {@link
 * DatagramIo#sendMany}. It has memory of its own, with the same room for each of them, and is used
 * again and again; what was received can be sent as it is, each datagram to its sender.
 *
 * {@snippet :
 * DatagramBatch<InetSocketAddress> batch = DatagramBatch.allocate(64, 1500);
 * while (true) {
 *   int n = socket.receiveMany(batch).await();
 *   for (int i = 0; i < n; i++) {
 *     if (!batch.datagram(i).truncated()) {
 *       handle(batch.datagram(i).sender(), batch.bytes(i));
 *     }
 *   }
 * }
 * }
 *
 * <p>Not thread safe, and for one operation at a time: not to be touched while that is pending.
 *
 * @param <A> the kind of addresses
 */
public final class DatagramBatch<A extends SocketAddress> {
  /** The most that the systems take with one call. */
  private static final int MOST = 1024;

  private static final int LONGEST = 1 << 16;

  /** What the endpoint fills and empties. */
  final Datagrams datagrams;

  private DatagramBatch(Datagrams datagrams) {
    this.datagrams = datagrams;
  }

  /**
   * One without a datagram in it.
   *
   * @param <A> the kind of addresses
   * @param most how many it has room for, from 1 to 1024
   * @param bytesEach the room of each, from 1 to 65,536 bytes
   */
  public static <A extends SocketAddress> DatagramBatch<A> allocate(int most, int bytesEach) {
    requireWithin("datagrams", most, MOST);
    requireWithin("bytes each", bytesEach, LONGEST);
    return new DatagramBatch<>(new Datagrams(most, bytesEach));
  }

  private static void requireWithin(String what, int number, int most) {
    if (number < 1 || number > most) {
      throw new IllegalArgumentException(what + ": " + number + ", not 1 to " + most);
    }
  }

  /** How many it has room for. */
  public int capacity() {
    return datagrams.capacity();
  }

  /** How many are in it. */
  public int size() {
    return datagrams.size();
  }

  /** Whether none can be {@linkplain #add(ByteBuffer, SocketAddress) added} before a send. */
  public boolean isFull() {
    return datagrams.isFull();
  }

  /**
   * Who has sent a datagram, how long it was, and whether that was more than there is room for.
   *
   * @param index from 0, in the order in which they came
   * @throws IllegalStateException if it was added without an address
   */
  public Datagram<A> datagram(int index) {
    Objects.checkIndex(index, size());
    SocketAddress address = datagrams.address(index);
    if (address == null) {
      throw new IllegalStateException("it is for the peer that the socket is connected to");
    }
    int length = datagrams.length(index);
    return new Datagram<>(shown(address), length, length > datagrams.bytesEach());
  }

  /**
   * The bytes of a datagram, as far as there is room: a view of the batch's own memory, from
   * position 0 to its limit. They change with the next receive.
   */
  public ByteBuffer bytes(int index) {
    Objects.checkIndex(index, size());
    return datagrams.bytes(index);
  }

  /**
   * Adds a datagram for {@code to}: a copy of what remains in {@code source}, whose position stays.
   *
   * @throws IllegalArgumentException if it is longer than there is room for
   * @throws IllegalStateException if it {@link #isFull}
   */
  public DatagramBatch<A> add(ByteBuffer source, A to) {
    addCopy(source, meant(Objects.requireNonNull(to, "to")));
    return this;
  }

  /** As {@link #add(ByteBuffer, SocketAddress)}, for the peer that the socket is connected to. */
  public DatagramBatch<A> add(ByteBuffer source) {
    addCopy(source, null);
    return this;
  }

  private void addCopy(ByteBuffer source, @Nullable SocketAddress to) {
    if (source.remaining() > datagrams.bytesEach()) {
      throw new IllegalArgumentException(
          "a datagram of "
              + source.remaining()
              + " bytes, in a batch with room for "
              + datagrams.bytesEach()
              + " each");
    }
    if (isFull()) {
      throw new IllegalStateException("no room for more than " + capacity() + " datagrams");
    }
    datagrams.add(to, source);
  }

  /** Takes the first one out: one that cannot be sent. */
  public void removeFirst() {
    Objects.checkIndex(0, size());
    datagrams.remove(1);
  }

  /** Takes all of them out. */
  public void clear() {
    datagrams.clear();
  }

  /** As users see it. */
  @SuppressWarnings("unchecked") // a socket has one kind of addresses
  private A shown(SocketAddress address) {
    return (A) (address instanceof UnixName ? UnixAddress.of(address) : address);
  }

  /** As endpoints see it. */
  private static SocketAddress meant(SocketAddress address) {
    return address instanceof UnixAddress unix ? unix.name() : address;
  }

  @Override
  public String toString() {
    return size() + " of " + capacity() + " datagrams";
  }
}
