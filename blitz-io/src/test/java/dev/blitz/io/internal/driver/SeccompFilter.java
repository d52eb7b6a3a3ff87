package dev.blitz.io.internal.driver;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;

/** Forbids one system call to the calling thread, for good, as containers do. */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
public final class SeccompFilter {
  private SeccompFilter() {}

  private static final int PR_SET_SECCOMP = 22;
  private static final int PR_SET_NO_NEW_PRIVS = 38;
  private static final int MODE_FILTER = 2;
  private static final int RETURN_ALLOW = 0x7fff0000;
  private static final int RETURN_ERRNO = 0x00050000;

  private static final short LOAD_WORD = 0x20;
  private static final short JUMP_IF_EQUAL = 0x15;
  private static final short RETURN = 0x06;

  /** Whether the kernel took the filter. */
  public static boolean forbid(long call, int errno) throws Throwable {
    Linker linker = Linker.nativeLinker();
    var prctl =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("prctl"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(1));
    try (var arena = Arena.ofConfined()) {
      MemorySegment program = arena.allocate(4 * 8, 8);
      instruction(program, 0, LOAD_WORD, 0, 0, 0); // the call's number
      instruction(program, 1, JUMP_IF_EQUAL, 0, 1, (int) call);
      instruction(program, 2, RETURN, 0, 0, RETURN_ERRNO | errno);
      instruction(program, 3, RETURN, 0, 0, RETURN_ALLOW);
      MemorySegment header = arena.allocate(16, 8);
      header.set(JAVA_SHORT, 0, (short) 4);
      header.set(JAVA_LONG, 8, program.address());
      if ((int) prctl.invokeExact(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) != 0) {
        return false;
      }
      return (int) prctl.invokeExact(PR_SET_SECCOMP, (long) MODE_FILTER, header.address(), 0L, 0L)
          == 0;
    }
  }

  private static void instruction(
      MemorySegment program, int i, short code, int ifTrue, int ifFalse, int operand) {
    program.set(JAVA_SHORT, 8L * i, code);
    program.set(JAVA_BYTE, 8L * i + 2, (byte) ifTrue);
    program.set(JAVA_BYTE, 8L * i + 3, (byte) ifFalse);
    program.set(JAVA_INT, 8L * i + 4, operand);
  }
}
