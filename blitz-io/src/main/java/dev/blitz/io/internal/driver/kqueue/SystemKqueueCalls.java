package dev.blitz.io.internal.driver.kqueue;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import dev.blitz.io.internal.driver.posix.Platform;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.driver.posix.PosixErrors;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** kqueue of the C library, or of libkqueue on Linux. Only where {@link #obstacle} finds none. */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
final class SystemKqueueCalls implements KqueueCalls {
  private static final String LIBRARY = "libkqueue.so.0";

  /** Bound when somebody calls: finding out whether they are there must not fail. */
  private static final class Handles {
    private static final SymbolLookup WHERE = lookup();
    static final MethodHandle OPEN = LibcCalls.intCall(WHERE, "kqueue");
    static final MethodHandle KEVENT =
        LibcCalls.intCall(WHERE, "kevent", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
    static final MethodHandle CHANGE =
        LibcCalls.plain(
            WHERE,
            "kevent",
            FunctionDescriptor.of(
                JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));
  }

  private final KqueueAbi abi = KqueueAbi.of(Platform.here());

  private static SymbolLookup lookup() {
    return Platform.here().isBsd()
        ? Linker.nativeLinker().defaultLookup()
        : SymbolLookup.libraryLookup(LIBRARY, Arena.global());
  }

  /** Why it cannot be called, or null. */
  static @Nullable String obstacle() {
    if (Platform.here() == Platform.UNKNOWN) {
      return "only macOS and FreeBSD have it, and Linux with libkqueue";
    }
    if (ADDRESS.byteSize() != 8) {
      return "only known where pointers have 64 bits";
    }
    try {
      return lookup().find("kevent").isPresent() ? null : "the C library does not have it";
    } catch (IllegalArgumentException e) {
      return "Linux has it only with " + LIBRARY + ", which is not there";
    }
  }

  @Override
  public KqueueAbi abi() {
    return abi;
  }

  @Override
  public Descriptor open() throws IOException {
    CallFrame frame = CallFrame.take();
    try {
      int fd = (int) Handles.OPEN.invokeExact(frame.errno());
      if (fd < 0) {
        throw PosixErrors.of("kqueue", -LibcCalls.failure(frame.errno()));
      }
      Descriptor queue = Descriptor.owning(fd);
      int r = PosixCalls.keepFromPrograms(frame, fd);
      if (r < 0) {
        queue.close();
        throw PosixErrors.of("fcntl", -r);
      }
      return queue;
    } catch (IOException e) {
      throw e;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    } finally {
      frame.giveBack();
    }
  }

  @Override
  public int kevent(
      MemorySegment errno,
      int queue,
      MemorySegment changes,
      int changeCount,
      MemorySegment events,
      int room,
      MemorySegment timeout) {
    try {
      int n =
          (int)
              Handles.KEVENT.invokeExact(errno, queue, changes, changeCount, events, room, timeout);
      return n >= 0 ? n : LibcCalls.failure(errno);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  @Override
  public void change(int queue, MemorySegment change) {
    try {
      int ignored =
          (int)
              Handles.CHANGE.invokeExact(
                  queue, change, 1, MemorySegment.NULL, 0, MemorySegment.NULL);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }
}
