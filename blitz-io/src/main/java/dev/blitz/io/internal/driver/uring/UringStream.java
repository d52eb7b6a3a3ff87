package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.driver.socket.SocketBytes;
import dev.blitz.io.internal.driver.socket.SocketDescriptor;
import dev.blitz.io.internal.driver.socket.SocketEndpoint;
import dev.blitz.io.internal.driver.socket.SocketErrors;
import dev.blitz.io.internal.driver.socket.SocketHandle;
import dev.blitz.io.internal.wait.LastLook;
import dev.blitz.io.internal.wait.WakerSlot;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connection. Bytes arrive by a receive that stays armed and are copied out in the poll. While
 * the ring has no buffers left, and after a hang-up, they are read by a call in the poll. A small
 * write on a worker is copied and goes to the kernel with all others of the worker's round; one at
 * a time, so that they stay in order. Other writes are sent in the poll, and when the kernel has no
 * room a one-time poll tells when it has.
 */
/* Implementation notes
 *
 *   field         | writer                       | reader                          | mode
 *   send          | writing side, once           | closed                          | volatile
 *   lingerSeconds | setOption                    | writing side, closed            | volatile
 *   readable      | reading side, once           | closed                          | volatile
 *   inputEnded    | shutdownInput                | reading side                    | volatile, before `received` ends
 *
 * Reading. Bytes come one of two ways at a time: by the receive while it is armed, or by a call of the reading side
 * while it is not. What the receive brought is visible before it counts as idle, and only the reading side arms it;
 * so who finds it idle, and then nothing received, may call, and no byte overtakes another.
 *
 *   receive armed -> idle, starved   all buffers hold unread data: the reader is woken, calls, and waits for `readable`
 *   receive armed -> idle, hung up   `hangUp` or a failed send has woken the reader, which cancels the receive
 *   idle, starved -> receive armed   a call finds nothing, and there are buffers again
 *   idle, hung up                    for good: calls find the rest, the end or the error
 *
 * Why the hang-up is watched: a receive may miss the end or the reset that follows bytes at once. The kernel gathers
 * both wakes, and kernels without "io_uring/poll: fix multishot recv missing EOF on wakeup race" receive once for
 * them. Those with it still miss resets: without the watch ResetSeededStress finds readers that wait for ever, on
 * Linux 6.18.44.
 */
final class UringStream extends UringEndpoint implements StreamEndpoint, SocketEndpoint {
  private static final int READABLE = PosixAbi.POLLIN | PosixAbi.POLLRDHUP;

  private final SocketHandle socket;
  private final ReceivedBytes received = new ReceivedBytes();
  private final WakerSlot reader = new WakerSlot();
  private final WakerSlot writer = new WakerSlot();
  private final ReceiveOperation receive;
  private final ReadinessOperation hangUp;
  private final ReadinessOperation writable;
  private volatile @Nullable ReadinessOperation readable;
  private volatile @Nullable SendOperation send;
  private volatile boolean inputEnded;
  private final OutputState output = new OutputState();
  private volatile int lingerSeconds;
  private boolean connecting;

  /** {@code lingerSeconds}: as the descriptor lingers already, having it from a listener; or -1. */
  UringStream(UringDriver driver, SocketHandle socket, int lingerSeconds) {
    super(driver, socket.descriptor());
    SocketDescriptor descriptor = socket.descriptor();
    this.socket = socket;
    this.lingerSeconds = lingerSeconds;
    receive = new ReceiveOperation(descriptor, received, reader);
    hangUp = new ReadinessOperation(descriptor, PosixAbi.POLLRDHUP, reader);
    writable = new ReadinessOperation(descriptor, PosixAbi.POLLOUT, writer);
  }

  @Override
  public SocketHandle socket() {
    return socket;
  }

  @Override
  public void bind(SocketAddress local) throws IOException {
    driver().bind(socket, local);
  }

  @Override
  public SocketAddress remoteAddress() throws IOException {
    return socket.remoteAddress();
  }

  // --- Reading ---

  @Override
  public int pollRead(ByteBuffer target, @Nullable Waker waker) throws IOException {
    return read(target, waker, false);
  }

  @Override
  public int pollPeek(ByteBuffer target, @Nullable Waker waker) throws IOException {
    return read(target, waker, true);
  }

  @Override
  public long pollReadVectored(MemorySegment[] targets, @Nullable Waker waker) throws IOException {
    long total = 0;
    for (int i = 0; i < targets.length && !received.isEmpty(); i++) {
      long n;
      try {
        n = received.take(targets[i].asByteBuffer(), false);
      } catch (RuntimeException | OutOfMemoryError e) { // its memory is gone, or another thread's
        if (total > 0) {
          break; // the caller must learn of what it has got; the next call meets this target first
        }
        throw e;
      }
      total += n;
      if (n < targets[i].byteSize()) {
        break;
      }
    }
    return total > 0 ? total : read(targets[0].asByteBuffer(), waker, false);
  }

  private int read(ByteBuffer target, @Nullable Waker waker, boolean peek) throws IOException {
    int n = received.isEmpty() ? 0 : received.poll(target, peek);
    if (n > 0) {
      return n;
    }
    requireOpen();
    if (waker == null) {
      return tryRead(target, peek);
    }
    while (LastLook.isUnderWay()) {
      reader.clear();
      boolean ended = driver().end(receive);
      n = readFetched(target, peek, ended);
      if (n != PENDING) {
        return n;
      }
      if (ended) {
        break; // nothing is there
      }
      reader.set(waker);
      if (receive.isArmed()) {
        LastLook.onItsWay(); // its end, if nothing else
        return PENDING;
      }
    }
    reader.set(waker);
    boolean idle = !receive.isArmed();
    boolean hungUp = hasHungUp();
    // An end is made visible before the operation counts as idle, so this look finds it.
    n = received.poll(target, peek);
    if (n == 0) {
      if (!idle) {
        await(hungUp);
        return PENDING;
      }
      n = readIdle(target, peek, hungUp);
      if (n == PENDING) {
        return PENDING;
      }
    }
    reader.clear();
    return n > 0 ? n : endOfStream();
  }

  /** Nothing is received: takes what the kernel has, or waits for it to be brought from there. */
  private int tryRead(ByteBuffer target, boolean peek) throws IOException {
    long end = 0;
    for (; ; ) {
      // First: what is not there any more has been brought, and is found below.
      int ready = receive.isArmed() ? inputReadiness() : 0;
      if ((ready & ~PosixAbi.POLLIN) != 0) {
        receive.cancel(); // the peer has ended, which it may have missed: once idle a call tells
      }
      // Who computes on the other worker is interrupted only for something.
      boolean there = ready != 0;
      there |= receive.isArmed() && driver().fetch(receive, there);
      boolean idle = !receive.isArmed();
      int n = readFetched(target, peek, idle);
      if (n != PENDING || idle) {
        return n;
      }
      long now = driver().nanoTime();
      end = end == 0 ? now + UringTuning.TRY_NANOS : end;
      if (!there || now - end >= 0) {
        return PENDING;
      }
      Thread.onSpinWait();
    }
  }

  /** What has been brought; if nothing will be, what the kernel has. */
  private int readFetched(ByteBuffer target, boolean peek, boolean idle) throws IOException {
    int n = received.poll(target, peek);
    if (n > 0) {
      return n;
    }
    if (n == ReceivedBytes.ENDED) {
      return endOfStream();
    }
    if (!idle) {
      return PENDING;
    }
    n = readByCall(target, peek);
    return n == 0 ? endOfStream() : n;
  }

  private int inputReadiness() throws IOException {
    int events = // nothing is captured below: a try in vain takes no memory
        socket.call(
            (frame, fd) -> PosixCalls.readiness(frame, fd, PosixAbi.POLLIN | PosixAbi.POLLRDHUP));
    return Math.max(0, events);
  }

  private boolean isWritable() throws IOException {
    return socket.call((frame, fd) -> PosixCalls.readiness(frame, fd, PosixAbi.POLLOUT)) > 0;
  }

  /** Not armed: how many bytes, {@link #PENDING}, or 0 at the end, which has been noted. */
  private int readByCall(ByteBuffer target, boolean peek) throws IOException {
    int n = socket.call((frame, fd) -> SocketBytes.receive(frame, fd, target, peek));
    if (n > 0) {
      return n;
    }
    if (n == -Errno.EAGAIN) {
      return PENDING;
    }
    received.end(-n);
    return 0;
  }

  /** The receive is armed: the kernel wakes the reader, if it does not miss the end. */
  private void await(boolean hungUp) throws IOException {
    if (hungUp) {
      receive.cancel(); // its last completion wakes the reader, who looks by a call
    } else if (!hangUp.isArmed() && !hangUp.isSeen() && !hangUp.arm(driver())) {
      throw notArmed(); // it went with the thread that had submitted it
    }
  }

  /** Nothing is received and the receive is not armed: reads by a call, or arms what will wake. */
  private int readIdle(ByteBuffer target, boolean peek, boolean hungUp) throws IOException {
    ReadinessOperation waits = readable;
    if (waits != null && waits.isArmed()) {
      return PENDING;
    }
    WorkerRing ring = driver().ringForCaller();
    boolean exhausted = ring.buffers().isExhausted();
    if (hungUp || exhausted || receive.isStarved()) {
      int n = readByCall(target, peek);
      if (n != PENDING) {
        return n;
      }
    }
    receive.setStarved(exhausted);
    if (hungUp || exhausted) {
      if (waits == null) {
        waits = new ReadinessOperation(descriptor(), READABLE, reader);
        readable = waits;
      }
      if (!waits.arm(ring)) {
        throw notArmed();
      }
    } else if (!receive.arm(ring)) {
      throw notArmed();
    } else {
      await(false);
    }
    return PENDING;
  }

  /** Whether the peer has ended its side, or the connection is broken, as far as is known. */
  private boolean hasHungUp() {
    return hangUp.isSeen() || brokenBy() != 0;
  }

  /** What broke the connection, as a write was told: the kernel does not tell the reader again. */
  private int brokenBy() {
    int errno = output.errno();
    return SocketErrors.isBroken(errno) ? errno : 0;
  }

  private int endOfStream() throws IOException {
    if (inputEnded) {
      return EOF;
    }
    int reason = received.endReason();
    if (reason == 0) {
      reason = brokenBy();
    }
    if (reason != 0) {
      throw SocketErrors.of("read", reason);
    }
    return EOF;
  }

  @Override
  public void forgetReader() {
    reader.clear();
  }

  @Override
  public void shutdownInput() throws IOException {
    requireOpen();
    inputEnded = true;
    received.end(0);
    received.close(); // what is there, and what is still to come, is not read any more
    socket.shutdown(true);
    reader.wake();
  }

  // --- Writing ---

  @Override
  public boolean pollConnect(SocketAddress remote, Waker waker) throws IOException {
    int outcome;
    if (!connecting) {
      outcome = socket.beginConnect(remote);
      connecting = true; // not if there is no room: then it begins anew
    } else {
      writer.set(waker);
      if (writable.isArmed()) {
        return false;
      }
      outcome = socket.connectOutcome();
    }
    if (outcome == -Errno.EINPROGRESS) {
      awaitRoom(waker);
      return false;
    }
    if (outcome < 0) {
      throw SocketErrors.connecting(remote, -outcome);
    }
    writer.clear();
    return true;
  }

  @Override
  public int pollWrite(ByteBuffer source, @Nullable Waker waker) throws IOException {
    int joined = join(source);
    if (joined != SendOperation.NO_ROOM) {
      return joined;
    }
    if (isSending(waker)) {
      return PENDING;
    }
    int staged = stage(source);
    return staged != SendOperation.NO_ROOM ? staged : send(source, false, waker);
  }

  private int send(ByteBuffer source, boolean moreFollows, @Nullable Waker waker)
      throws IOException {
    StackRoom.forWake(); // to let go of what is in use
    CallFrame frame = CallFrame.take(); // first: it may find no memory
    try {
      use();
      int n;
      try {
        int fd = descriptor().number();
        n =
            moreFollows
                ? SocketBytes.sendBeforeMore(frame, fd, source)
                : SocketBytes.send(frame, fd, source);
      } finally {
        descriptor().release();
      }
      return (int) wrote(n, waker);
    } finally {
      frame.giveBack();
    }
  }

  @Override
  public long pollWriteVectored(MemorySegment[] sources, @Nullable Waker waker) throws IOException {
    if (isSending(waker)) {
      return PENDING;
    }
    StackRoom.forWake(); // to let go of what is in use
    CallFrame frame = CallFrame.take(); // first: it may find no memory
    try {
      use();
      long n;
      try {
        n = SocketBytes.sendAll(frame, descriptor().number(), sources);
      } finally {
        descriptor().release();
      }
      return wrote(n, waker);
    } finally {
      frame.giveBack();
    }
  }

  @Override
  public long pollBeforeFile(@Nullable Waker waker) throws IOException {
    return isSending(waker) ? PENDING : 0;
  }

  /** By a call, not with the others of the round: the file's bytes must not overtake them. */
  @Override
  public int pollWriteBeforeFile(ByteBuffer source, @Nullable Waker waker) throws IOException {
    return isSending(waker) ? PENDING : send(source, true, waker);
  }

  @Override
  public long pollSendFile(int file, long position, int most, @Nullable Waker waker)
      throws IOException {
    if (isSending(waker)) {
      return PENDING;
    }
    StackRoom.forWake(); // to let go of what is in use
    CallFrame frame = CallFrame.take(); // first: it may find no memory
    try {
      use();
      long n;
      try {
        n = SocketBytes.sendFile(frame, descriptor().number(), file, position, most);
      } finally {
        descriptor().release();
      }
      return n < 0 && SocketErrors.isOfFile((int) -n) ? NOT_SERVED : wrote(n, waker);
    } finally {
      frame.giveBack();
    }
  }

  /** Whether an earlier write is still being sent; then the waker has been kept. */
  private boolean isSending(@Nullable Waker waker) throws IOException {
    if (output.isToEnd()) {
      throw ended();
    }
    SendOperation last = send;
    if (last == null) {
      return false;
    }
    if (last.isArmed()) {
      if (waker == null) {
        driver().fetch(last, false); // it may have completed, and nobody has looked
        if (last.isArmed() && isWritable()) {
          driver().fetch(last, true); // it is told of the room as soon as its worker is interrupted
        }
      } else {
        writer.set(waker);
      }
      if (last.isArmed()) {
        requireOpen(); // close() may have looked for the waker just before
        return true;
      }
      if (waker != null) {
        writer.clear();
      }
    }
    throwFailure();
    return false;
  }

  /** Why a write cannot be: a staged one would seem to succeed. */
  private IOException ended() throws IOException {
    requireOpen();
    return SocketErrors.of("write", Errno.EPIPE);
  }

  private void throwFailure() throws IOException {
    int errno = output.failure();
    if (errno != 0) {
      throw SocketErrors.of("write", errno);
    }
  }

  /** Adds a small write to one that this worker has not sent yet, if there is one. */
  private int join(ByteBuffer source) throws IOException {
    SendOperation last = send;
    if (last == null || !last.isArmed() || output.isToEnd() || !isStaged(source.remaining())) {
      return SendOperation.NO_ROOM;
    }
    WorkerRing ring = driver().ringOfCaller();
    requireOpen();
    return ring == null ? SendOperation.NO_ROOM : last.join(ring, source);
  }

  /**
   * A socket that lingers is closed where closing may wait, which is not where a send ends. On a
   * Unix one nothing bounds how long a peer may keep from reading what was staged before the close,
   * nor can it be reset: what is taken must be in the kernel.
   */
  private boolean isStaged(int bytes) {
    return bytes > 0
        && bytes <= UringTuning.SEND_BYTES
        && lingerSeconds <= 0
        && socket.family() != AddressFamily.UNIX;
  }

  /**
   * Takes a small write on a worker; {@link SendOperation#NO_ROOM} if it has to be sent at once.
   */
  private int stage(ByteBuffer source) throws IOException {
    WorkerRing ring = driver().ringOfCaller();
    if (ring == null || !isStaged(source.remaining())) {
      return SendOperation.NO_ROOM;
    }
    SendOperation next = send;
    if (next == null) {
      next = new SendOperation(socket.descriptor(), writer, reader, output, this::endOutput);
      send = next;
    }
    requireOpen();
    if (!output.begin()) {
      throw ended();
    }
    int staged = SendOperation.CLOSED;
    try {
      staged = next.stage(ring, source);
    } finally {
      if (staged <= 0 && !next.isArmed() && output.sent() == OutputState.Next.SHUT_DOWN) {
        endOutput(); // as was asked for meanwhile
      }
    }
    if (staged == SendOperation.CLOSED) {
      throw notArmed();
    }
    driver().sent();
    if (!isOpen() && (lingerSeconds == 0 || socket.descriptor().isReset())) {
      next.cancel(); // closed() may have found it not armed yet
    }
    return staged;
  }

  private void endOutput() {
    try {
      socket.shutdown(false);
    } catch (IOException e) {
      // The connection has failed or is closed: there is no output to be ended.
    }
  }

  private long wrote(long result, @Nullable Waker waker) throws IOException {
    if (result >= 0) {
      driver().sent();
      return result;
    }
    if (result != -Errno.EAGAIN) {
      if (SocketErrors.isBroken((int) -result)) {
        output.broke((int) -result);
        reader.wake(); // it may wait for what it will never be told
      }
      throw SocketErrors.of("write", (int) -result);
    }
    if (waker != null) {
      awaitRoom(waker);
    }
    return PENDING;
  }

  private void awaitRoom(Waker waker) throws IOException {
    writer.set(waker);
    if (!writable.isArmed() && !writable.arm(driver())) {
      throw notArmed();
    }
  }

  @Override
  public void forgetWriter() {
    writer.clear();
  }

  @Override
  public void awaitClose(Waker waker) {
    writer.set(waker);
  }

  @Override
  public void shutdownOutput() throws IOException {
    OutputState.Next next = output.end();
    writer.wake(); // what is pending was not taken, and must learn that it will not be
    if (next == OutputState.Next.SHUT_DOWN) { // else what was written goes first
      throwFailure();
      socket.shutdown(false);
    }
  }

  @Override
  public <T> void setOption(SocketOption<T> option, T value) throws IOException {
    socket.setOption(option, value);
    if (SocketHandle.isLinger(option)) {
      lingerSeconds = (Integer) value;
    }
  }

  // --- Closing ---

  @Override
  void closed() {
    try {
      boolean reset = lingerSeconds == 0;
      SendOperation sending = armedSend();
      cancelAllButSend(); // first: what follows may find no memory
      // Without a send the number is closed at once, and the kernel looks for itself.
      if (received.close() || (sending != null && !reset && socket.isUnreadInKernel())) {
        socket.descriptor().closesByReset(); // as the kernel does with what nobody has read
        reset = true;
      }
      if (sending != null && reset) {
        sending.cancel();
      }
      if (isAnyArmed()) {
        hurry(reset);
        if (!reset && isOnlyArmedToWait()) {
          socket.endOutputAtOnce(); // it is armed on another worker's ring
        }
      }
    } finally {
      reader.wake();
      writer.wake();
    }
  }

  /** Who closes may need the number or the port again, and may compute for long. */
  private void hurry(boolean reset) {
    try {
      driver().hurry();
    } finally {
      // What was written goes before the number is closed, but not for as long as the peer likes.
      // Asked after: what the kernel has taken it sends with its own patience, on any backend.
      if (!reset && armedSend() != null) {
        socket.limitSending(driver().closedSendMillis());
      }
    }
  }

  private void cancelAllButSend() {
    receive.cancel();
    hangUp.cancel();
    writable.cancel();
    ReadinessOperation waits = readable;
    if (waits != null) {
      waits.cancel();
    }
  }

  private boolean isAnyArmed() {
    return armedToWait() > 0 || armedSend() != null;
  }

  private @Nullable SendOperation armedSend() {
    SendOperation last = send;
    return last != null && last.isArmed() ? last : null;
  }

  private int armedToWait() {
    ReadinessOperation waits = readable;
    return (receive.isArmed() ? 1 : 0)
        + (hangUp.isArmed() ? 1 : 0)
        + (writable.isArmed() ? 1 : 0)
        + (waits != null && waits.isArmed() ? 1 : 0);
  }

  /**
   * For whoever closes: whether nobody is about to write or being sent for. Uses are counted first:
   * they only become fewer now, so that one which is missing afterwards errs on the safe side.
   */
  private boolean isOnlyArmedToWait() {
    int users = descriptor().users();
    int armed = armedToWait();
    return armed > 0 && users == armed + 1;
  }
}
