package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.Datagrams;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.Platform;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.net.SocketAddress;

/**
 * Datagrams as Linux takes and gives several with one call: a header for each, with its name and
 * its room. Made once for a batch, and used as often as that.
 */
/* Implementation notes
 *
 * The headers point at other memory: the names here, and the bytes of the batch. The linker keeps alive only what it is passed, so
 * this object, which has all of it, must be reachable until the call has ended.
 */
final class MessageBatch {
  private final Datagrams batch;
  private final MemorySegment headers;
  private final MemorySegment vectors;
  private final MemorySegment[] header;
  private final MemorySegment[] name;
  private final MemorySegment[] room;

  private MessageBatch(Datagrams batch) {
    this.batch = batch;
    int capacity = batch.capacity();
    Arena arena = Arena.ofAuto();
    headers = arena.allocate(SocketAbi.MESSAGE_BYTES * capacity, 8);
    vectors = PosixAbi.allocateVectors(arena, capacity);
    MemorySegment names = arena.allocate((long) CallFrame.ADDRESS_BYTES * capacity, 8);
    header = new MemorySegment[capacity];
    name = new MemorySegment[capacity];
    room = new MemorySegment[capacity];
    for (int i = 0; i < capacity; i++) {
      header[i] = headers.asSlice(i * SocketAbi.MESSAGE_BYTES, SocketAbi.MESSAGE_BYTES);
      name[i] = names.asSlice((long) i * CallFrame.ADDRESS_BYTES, CallFrame.ADDRESS_BYTES);
      room[i] = batch.memory().asSlice((long) i * batch.bytesEach(), batch.bytesEach());
      SocketAbi.setMessage(header[i], PosixAbi.iovecsFrom(vectors, i), 1);
    }
  }

  /** Whether the system has such calls, in the layout that we know. */
  static boolean isThere() {
    return Platform.here() == Platform.LINUX;
  }

  /** Whether {@code errno} says that such calls may not be made, by a filter or an old kernel. */
  static boolean isRefused(int errno) {
    return errno == Errno.ENOSYS;
  }

  /** That of {@code batch}. */
  static MessageBatch of(Datagrams batch) {
    if (batch.prepared() instanceof MessageBatch before) {
      return before;
    }
    var made = new MessageBatch(batch);
    batch.prepare(made);
    return made;
  }

  /** Replaces the batch by what is there: how many, or {@code -errno}. */
  int receive(CallFrame frame, int fd) throws IOException {
    int capacity = batch.capacity();
    for (int i = 0; i < capacity; i++) {
      SocketAbi.setMessageName(header[i], name[i], CallFrame.ADDRESS_BYTES);
      PosixAbi.setIovec(vectors, i, room[i], batch.bytesEach());
    }
    int n;
    try {
      n = SocketCalls.receiveMany(frame, fd, headers, capacity, SocketAbi.MSG_TRUNC);
    } finally {
      Reference.reachabilityFence(this);
    }
    if (n <= 0) {
      return n;
    }
    batch.clear();
    for (int i = 0; i < n; i++) {
      int nameBytes = SocketAbi.messageNameLength(header[i]);
      batch.add(SocketNames.read(name[i], nameBytes), SocketAbi.movedBytes(header[i]));
    }
    return n;
  }

  /** Sends what is in the batch, which stays there: how many, or {@code -errno}. */
  int send(CallFrame frame, int fd, AddressFamily family) throws IOException {
    int count = batch.size();
    int first = batch.place(0);
    int ready = 0;
    while (ready < count) {
      int place = first + ready;
      SocketAddress to = batch.address(ready);
      try {
        int nameBytes = to == null ? 0 : SocketNames.write(name[place], to, family);
        SocketAbi.setMessageName(header[place], name[place], nameBytes);
      } catch (IOException e) {
        if (ready == 0) {
          throw e;
        }
        break; // those before it go out, and then it is told
      }
      int length = Math.min(batch.length(ready), batch.bytesEach());
      PosixAbi.setIovec(vectors, place, room[place], length);
      ready++;
    }
    try {
      return SocketCalls.sendMany(frame, fd, header[first], ready);
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
