package dev.blitz.io.internal.file;

import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A pipe that was opened to be read, before there was perhaps anybody who writes. Read by one
 * thread to its end, which closes it; or closed before. An interrupt of that thread ends the read,
 * and so does a close: nobody else would, if no writer ever comes.
 */
final class HeldPipe {
  private final Path path;
  private final int fd;
  private final AtomicBoolean used = new AtomicBoolean();
  private volatile @Nullable Wait wait;
  private volatile boolean closed;

  /** Owns {@code fd}, which does not block. */
  HeldPipe(Path path, int fd) {
    this.path = path;
    this.fd = fd;
  }

  /** Nobody will read it, or wants what is being read. */
  void close() {
    StackRoom.forWake();
    closed = true;
    if (used.compareAndSet(false, true)) {
      PosixCalls.close(fd);
      return;
    }
    Wait now = wait;
    if (now != null) {
      now.end();
    }
  }

  /** All that is written to it, from the first writer's coming to the last one's going; waits. */
  byte[] readAll(int limit) throws IOException {
    StackRoom.forMany(); // to close it
    if (!used.compareAndSet(false, true)) {
      throw new ClosedChannelException(); // nobody hears it
    }
    Wait now = null;
    try {
      now = new Wait(newCounter());
      wait = now;
      if (closed) {
        throw new ClosedChannelException(); // nobody hears it
      }
      return readAll(now, limit);
    } finally {
      PosixCalls.close(fd);
      if (now != null) {
        now.counter.close();
      }
    }
  }

  private byte[] readAll(Wait now, int limit) throws IOException {
    var all = new ByteArrayOutputStream();
    CallFrame frame = CallFrame.take();
    try {
      MemorySegment memory = frame.staging();
      for (; ; ) {
        now.await(frame);
        int n = PosixCalls.read(frame, fd, memory, CallFrame.STAGING_BYTES);
        if (n == 0) {
          return all.toByteArray();
        }
        if (n != -Errno.EAGAIN) {
          all.writeBytes(PosixAbi.bytesAt(memory, checked(n)));
        }
        if (all.size() > limit) {
          throw tooLarge(path, limit);
        }
      }
    } finally {
      frame.giveBack();
    }
  }

  private Descriptor newCounter() throws IOException {
    CallFrame frame = CallFrame.take();
    try {
      return Descriptor.owning(checked(PosixCalls.eventCounter(frame)));
    } finally {
      frame.giveBack();
    }
  }

  /** The thread that reads it waits; the counter ends that. */
  private final class Wait extends AbstractInterruptibleChannel {
    private final Descriptor counter;

    Wait(Descriptor counter) {
      this.counter = counter;
    }

    void await(CallFrame frame) throws IOException {
      boolean still = false;
      begin();
      try {
        checked(FileCalls.awaitReadable(frame, fd, counter.number()));
        if (closed) {
          throw new ClosedChannelException(); // nobody hears it
        }
        still = true;
      } finally {
        end(still);
      }
    }

    @Override
    protected void implCloseChannel() {
      end();
    }

    void end() {
      if (counter.tryUse()) {
        try {
          PosixCalls.count(counter.number());
        } finally {
          counter.release();
        }
      }
    }
  }

  private int checked(int answer) throws FileSystemException {
    if (answer < 0) {
      throw new FileSystemException(path.toString(), null, Errno.describe(-answer));
    }
    return answer;
  }

  static FileSystemException tooLarge(Path path, int limit) {
    return new FileSystemException(
        path.toString(), null, "more than the limit of " + limit + " bytes");
  }
}
