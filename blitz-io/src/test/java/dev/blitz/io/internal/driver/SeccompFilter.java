package dev.blitz.io.internal.driver;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/** Forbids one system call to the calling thread, for good, as containers do. */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
public final class SeccompFilter {
  private SeccompFilter() {}

  private static final int PR_SET_SECCOMP = 22;
  private static final int PR_SET_NO_NEW_PRIVS = 38;
  private static final int MODE_FILTER = 2;
  private static final int RETURN_ALLOW = 0x7fff0000;
  private static final int RETURN_ERRNO = 0x00050000;

  private static final int LOAD_WORD = 0x20;
  private static final int JUMP_IF_EQUAL = 0x15;
  private static final int RETURN = 0x06;

  /**
   * Where the number of the call is in what a filter looks at; and of its arguments' low halves.
   */
  private static final int NUMBER = 0;

  private static final int ARGUMENTS = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 16 : 20;

  /** Whether the kernel took the filter. */
  public static boolean forbid(long call, int errno) throws Throwable {
    return take(
        new int[][] {
          {LOAD_WORD, 0, 0, NUMBER},
          {JUMP_IF_EQUAL, 0, 1, (int) call},
          {RETURN, 0, 0, RETURN_ERRNO | errno},
          {RETURN, 0, 0, RETURN_ALLOW}
        });
  }

  /** Of {@code call} only those whose argument {@code index} is {@code value}. */
  public static boolean forbid(long call, int index, int value, int errno) throws Throwable {
    return take(
        new int[][] {
          {LOAD_WORD, 0, 0, NUMBER},
          {JUMP_IF_EQUAL, 0, 3, (int) call},
          {LOAD_WORD, 0, 0, ARGUMENTS + 8 * index},
          {JUMP_IF_EQUAL, 0, 1, value},
          {RETURN, 0, 0, RETURN_ERRNO | errno},
          {RETURN, 0, 0, RETURN_ALLOW}
        });
  }

  /** Each instruction: code, how many to skip if true, if false, operand. */
  private static boolean take(int[][] instructions) throws Throwable {
    Linker linker = Linker.nativeLinker();
    var prctl =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("prctl"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(1));
    try (var arena = Arena.ofConfined()) {
      MemorySegment program = arena.allocate(instructions.length * 8L, 8);
      for (int i = 0; i < instructions.length; i++) {
        int[] one = instructions[i];
        program.set(JAVA_SHORT, 8L * i, (short) one[0]);
        program.set(JAVA_BYTE, 8L * i + 2, (byte) one[1]);
        program.set(JAVA_BYTE, 8L * i + 3, (byte) one[2]);
        program.set(JAVA_INT, 8L * i + 4, one[3]);
      }
      MemorySegment header = arena.allocate(16, 8);
      header.set(JAVA_SHORT, 0, (short) instructions.length);
      header.set(JAVA_LONG, 8, program.address());
      if ((int) prctl.invokeExact(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) != 0) {
        return false;
      }
      return (int) prctl.invokeExact(PR_SET_SECCOMP, (long) MODE_FILTER, header.address(), 0L, 0L)
          == 0;
    }
  }
}
