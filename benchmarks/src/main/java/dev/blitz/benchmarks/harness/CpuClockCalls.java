package dev.blitz.benchmarks.harness;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** {@code clock_gettime(CLOCK_PROCESS_CPUTIME_ID)} on 64-bit Linux; empty anywhere else. */
final class CpuClockCalls {
  private static final int CLOCK_PROCESS_CPUTIME_ID = 2;
  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final long TIMESPEC_BYTES = 2 * JAVA_LONG.byteSize();
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private static final @Nullable MethodHandle CLOCK_GETTIME = find();

  private CpuClockCalls() {}

  /** The call is restricted: whoever runs the benchmarks has granted native access. */
  @SuppressWarnings("restricted")
  private static @Nullable MethodHandle find() {
    if (!System.getProperty("os.name", "").equals("Linux") || POINTER.byteSize() != 8) {
      return null;
    }
    var linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find("clock_gettime")
        .map(f -> linker.downcallHandle(f, FunctionDescriptor.of(JAVA_INT, JAVA_INT, POINTER)))
        .orElse(null);
  }

  static OptionalLong processCpuNanos() {
    var handle = CLOCK_GETTIME;
    if (handle == null) {
      return OptionalLong.empty();
    }
    try (var arena = Arena.ofConfined()) {
      MemorySegment timespec = arena.allocate(TIMESPEC_BYTES, JAVA_LONG.byteAlignment());
      int failed = (int) handle.invokeExact(CLOCK_PROCESS_CPUTIME_ID, timespec);
      if (failed != 0) {
        return OptionalLong.empty();
      }
      long seconds = timespec.get(JAVA_LONG, 0);
      long nanos = timespec.get(JAVA_LONG, JAVA_LONG.byteSize());
      return OptionalLong.of(seconds * NANOS_PER_SECOND + nanos);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new LinkageError("clock_gettime declares no exception", e);
    }
  }
}
