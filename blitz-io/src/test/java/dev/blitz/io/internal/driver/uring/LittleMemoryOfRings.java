package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.LittleMemory;
import dev.blitz.io.internal.driver.CountedArena;
import dev.blitz.io.internal.driver.KernelCall;
import dev.blitz.io.internal.driver.KernelRequest;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.Pipe;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.policy.TimeSource;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * As {@link LittleMemory}, of a driver that is closed while it is read from a socket and from a
 * pipe. All it has is given back, which takes no memory.
 */
final class LittleMemoryOfRings {
  /** More small pieces than any step takes. */
  private static final int MOST_PIECES = 20;

  /** So often with memory: the JVM settles the form of a handle after many calls. */
  private static final int WITH_MEMORY = 40;

  private LittleMemoryOfRings() {}

  public static void main(String[] args) throws Exception {
    String wrong = "";
    for (int pieces = -WITH_MEMORY; pieces <= MOST_PIECES && wrong.isEmpty(); pieces++) {
      wrong = once(pieces);
    }
    System.out.println("wrong: " + (wrong.isEmpty() ? "none" : wrong));
    System.exit(0);
  }

  private static String once(int pieces) throws IOException {
    int before = descriptors();
    var driver = new UringDriver(new Seats(2, TimeSource.system()), new UringBackend().probe());
    var workers = new DrivenWorkers(driver, 2); // who have all ended
    List<StreamEndpoint> pair = driver.openStreamPair();
    if (pair.getFirst().pollRead(ByteBuffer.allocate(1), () -> {}) != StreamEndpoint.PENDING) {
      return "bytes that nobody has sent";
    }
    Pipe pipe = Pipe.open();
    var reader = new Descriptor(pipe.reader());
    var target = Arena.ofAuto().allocate(1);
    var request =
        new KernelRequest(SubmissionAbi.OP_READ, pipe.reader(), -1, target.address(), 1, 0);
    var call = new KernelCall(request, reader, target);
    driver.submit(call);
    driver.deliver(0);
    // Sometimes in two steps: the first waits in vain for the pipe, and takes its time.
    Runnable end = pieces >= -5 && pieces % 5 == 0 ? () -> closeTwice(driver) : driver::close;
    LittleMemory.with(pieces, end);
    boolean answered = call.poll(() -> {}) != KernelCall.PENDING;
    reader.close();
    PosixCalls.close(pipe.writer());
    List<String> open = CountedArena.purposesOfOpen();
    int more = pieces < 0 ? 0 : descriptors() - before;
    return answered && open.isEmpty() && more == 0 && workers.calls.get() > 0
        ? ""
        : open + " and " + more + " descriptors with " + pieces + ", answered: " + answered;
  }

  private static void closeTwice(UringDriver driver) {
    try {
      driver.closeSockets();
    } finally {
      driver.close();
    }
  }

  private static int descriptors() {
    String[] all = new File("/proc/self/fd").list();
    return all == null ? 0 : all.length;
  }
}
