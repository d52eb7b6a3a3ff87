package dev.blitz.io.internal.driver.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Binds functions of the C library. A handle belongs into a {@code static final} field of a class
 * {@code *Calls}, which calls it by {@code invokeExact}. Unless it is {@linkplain #plain plain} its
 * first argument is memory for errno, which is read only after a failure.
 */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
public final class LibcCalls {
  private LibcCalls() {}

  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option CAPTURE_ERRNO = Linker.Option.captureCallState("errno");
  private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CALL_STATE.varHandle(PathElement.groupElement("errno")).withInvokeExactBehavior();

  /** Whether the C library has {@code name}. */
  public static boolean has(String name) {
    return LINKER.defaultLookup().find(name).isPresent();
  }

  /** A function that answers an {@code int}. */
  public static MethodHandle intCall(String name, MemoryLayout... parameters) {
    return bind(name, FunctionDescriptor.of(JAVA_INT, parameters));
  }

  /** A function that answers a {@code long}, {@code ssize_t} or {@code off_t}. */
  public static MethodHandle longCall(String name, MemoryLayout... parameters) {
    return bind(name, FunctionDescriptor.of(JAVA_LONG, parameters));
  }

  /** As {@link #intCall}, of a library other than the C library. */
  public static MethodHandle intCall(
      SymbolLookup library, String name, MemoryLayout... parameters) {
    return LINKER.downcallHandle(
        library.findOrThrow(name), FunctionDescriptor.of(JAVA_INT, parameters), CAPTURE_ERRNO);
  }

  /** As {@link #intCall}; where the C library does not have it, each call fails with ENOSYS. */
  public static MethodHandle intCallIfAny(String name, MemoryLayout... parameters) {
    return has(name) ? intCall(name, parameters) : missing(parameters);
  }

  private static MethodHandle missing(MemoryLayout... parameters) {
    MethodHandle fail;
    try {
      fail =
          MethodHandles.lookup()
              .findStatic(
                  LibcCalls.class,
                  "failAsMissing",
                  MethodType.methodType(int.class, MemorySegment.class));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a method of this class", e);
    }
    return MethodHandles.dropArguments(
        fail, 1, FunctionDescriptor.of(JAVA_INT, parameters).toMethodType().parameterList());
  }

  @SuppressWarnings("UnusedMethod") // by missing
  private static int failAsMissing(MemorySegment errno) {
    ERRNO.set(errno, 0L, Errno.toSystem(Errno.ENOSYS));
    return -1;
  }

  /** A function whose parameters from {@code fixed} on are variadic, as with {@code open}. */
  public static MethodHandle variadicCall(String name, int fixed, MemoryLayout... parameters) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(JAVA_INT, parameters),
        CAPTURE_ERRNO,
        Linker.Option.firstVariadicArg(fixed));
  }

  /** A system call by its number, which is the first parameter. */
  public static MethodHandle systemCall(MemoryLayout... parameters) {
    return systemCall(parameters, CAPTURE_ERRNO, Linker.Option.firstVariadicArg(1));
  }

  /** As {@link #systemCall}, {@link #plain}. */
  public static MethodHandle plainSystemCall(MemoryLayout... parameters) {
    return systemCall(parameters, Linker.Option.firstVariadicArg(1));
  }

  private static MethodHandle systemCall(MemoryLayout[] parameters, Linker.Option... options) {
    MemoryLayout[] all = new MemoryLayout[parameters.length + 1];
    all[0] = JAVA_LONG;
    System.arraycopy(parameters, 0, all, 1, parameters.length);
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow("syscall"),
        FunctionDescriptor.of(JAVA_LONG, all),
        options);
  }

  /** A function without errno, and so without memory: what must succeed also when there is none. */
  public static MethodHandle plain(String name, FunctionDescriptor type) {
    return plain(LINKER.defaultLookup(), name, type);
  }

  /** As {@link #plain}, of a library other than the C library. */
  public static MethodHandle plain(SymbolLookup library, String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(library.findOrThrow(name), type);
  }

  /** As {@link #plain}; where the C library does not have it, each call answers -1. */
  public static MethodHandle plainIfAny(String name, FunctionDescriptor type) {
    return has(name)
        ? plain(name, type)
        : MethodHandles.dropArguments(
            MethodHandles.constant(int.class, -1), 0, type.toMethodType().parameterList());
  }

  /**
   * A call that finds its memory through a pointer in other memory (an iovec). The linker keeps
   * memory alive for the time of a call, and refuses what is gone, only if it is an argument. So
   * the memory is passed as well, as the frame's vectors, behind the arguments that the function
   * has: it does not look at them, and the caller removes them, in every calling convention of
   * Linux, macOS and FreeBSD.
   */
  public static MethodHandle vectorCall(String name, MemoryLayout... parameters) {
    int own = parameters.length;
    MemoryLayout[] all = Arrays.copyOf(parameters, own + CallFrame.MAX_VECTORS);
    Arrays.fill(all, own, all.length, ADDRESS);
    return longCall(name, all).asSpreader(own + 1, MemorySegment[].class, CallFrame.MAX_VECTORS);
  }

  private static MethodHandle bind(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, CAPTURE_ERRNO);
  }

  /** Memory for errno. */
  public static MemorySegment allocateErrno(Arena arena) {
    return arena.allocate(CALL_STATE);
  }

  /** As {@link #allocateErrno}, for an arena that a call must not lock: who calls keeps it open. */
  public static MemorySegment allocateUnlockedErrno(Arena arena) {
    MemorySegment owned = arena.allocate(CALL_STATE);
    return MemorySegment.ofAddress(owned.address()).reinterpret(CALL_STATE.byteSize());
  }

  /** What a call that failed has left there, as {@code -errno}, a number of {@link Errno}. */
  public static int failure(MemorySegment errno) {
    return -Errno.ofSystem((int) ERRNO.get(errno, 0L));
  }

  /** A downcall declares Throwable but throws nothing checked. */
  public static RuntimeException rethrown(Throwable t) {
    switch (t) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError("a downcall threw a checked exception", t);
    }
  }
}
