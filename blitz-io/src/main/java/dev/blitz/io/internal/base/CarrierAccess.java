package dev.blitz.io.internal.base;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The one class that reaches into the JDK: makes virtual threads with a scheduler of our own, finds
 * the carrier of the calling thread, and pins a virtual thread to it.
 *
 * <p>Needs {@code --add-opens java.base/java.lang=ALL-UNNAMED} (or {@code =dev.blitz.io}). Without
 * it, or on a JDK that is built differently, {@link #isOwn()} is false and nothing else here is of
 * use, except {@link #currentCarrier()}, which then answers the calling thread.
 */
public final class CarrierAccess {
  private static final String FLAG = "--add-opens java.base/java.lang=";

  /** Of {@code java.lang.Thread}: inherit no inheritable thread-locals. */
  private static final int NO_INHERIT_THREAD_LOCALS = 1 << 2;

  private static final Handles HANDLES = Handles.open();
  private static final boolean OWN = HANDLES.problem == null;
  private static final MethodHandle NEW_THREAD = HANDLES.newThread;
  private static final @Nullable ThreadListing LISTING = HANDLES.listing;
  private static final MethodHandle CURRENT_CARRIER = HANDLES.currentCarrier;
  private static final MethodHandle SCHEDULER_OF = HANDLES.schedulerOf;
  private static final MethodHandle PIN = HANDLES.pin;
  private static final MethodHandle UNPIN = HANDLES.unpin;

  private CarrierAccess() {}

  /** What the JDK lets us use; when it does not, empty handles and the problem. */
  private record Handles(
      MethodHandle newThread,
      @Nullable ThreadListing listing,
      MethodHandle currentCarrier,
      MethodHandle schedulerOf,
      MethodHandle pin,
      MethodHandle unpin,
      @Nullable Throwable problem) {

    static Handles open() {
      MethodHandles.Lookup here = MethodHandles.lookup();
      try {
        Class<?> builders = Class.forName("java.lang.ThreadBuilders");
        Class<?> virtual = Class.forName("java.lang.VirtualThread");
        // Public methods of a class in a closed package, which its open subclass inherits.
        Class<?> continuation = Class.forName("java.lang.VirtualThread$VThreadContinuation");
        var inVirtual = MethodHandles.privateLookupIn(virtual, here);
        var noArguments = MethodType.methodType(void.class);
        return new Handles(
            MethodHandles.privateLookupIn(builders, here)
                .findStatic(
                    builders,
                    "newVirtualThread",
                    MethodType.methodType(
                        Thread.class, Executor.class, String.class, int.class, Runnable.class)),
            ThreadListing.open(inVirtual),
            MethodHandles.privateLookupIn(Thread.class, here)
                .findStatic(
                    Thread.class, "currentCarrierThread", MethodType.methodType(Thread.class)),
            inVirtual
                .findGetter(virtual, "scheduler", Executor.class)
                .asType(MethodType.methodType(Executor.class, Thread.class)),
            inVirtual.findStatic(continuation, "pin", noArguments),
            inVirtual.findStatic(continuation, "unpin", noArguments),
            null);
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        MethodHandle none = MethodHandles.zero(void.class);
        return new Handles(none, null, none, none, none, none, e);
      }
    }
  }

  /** Whether virtual threads can be carried by our workers. */
  public static boolean isOwn() {
    return OWN;
  }

  /** Why {@link #isOwn()} is what it is, for people. */
  public static String reason() {
    Throwable problem = HANDLES.problem;
    if (problem == null) {
      return "java.lang is open to " + module();
    }
    return problem instanceof IllegalAccessException
        ? "java.lang is closed: start the JVM with " + FLAG + module()
        : "this JDK has no virtual threads of the kind we know: " + problem;
  }

  private static String module() {
    Module mine = CarrierAccess.class.getModule();
    return mine.isNamed() ? mine.getName() : "ALL-UNNAMED";
  }

  /** A new virtual thread whose continuations are given to {@code scheduler}. */
  public static Thread newThread(Executor scheduler, String name, Runnable body) {
    Pollers.ensureStarted();
    try {
      return (Thread) NEW_THREAD.invokeExact(scheduler, name, NO_INHERIT_THREAD_LOCALS, body);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /**
   * What the threads of a runtime are started in, so that thread dumps find them; null if they are
   * to be started as others are.
   *
   * @param threads those that are alive, whoever asks and whenever
   */
  public static @Nullable Object newListing(String name, Supplier<Stream<Thread>> threads) {
    if (LISTING == null) {
      return null;
    }
    try {
      return (Object) LISTING.maker().invokeExact(name, threads);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Starts a thread that {@link #newThread} has made. */
  public static void start(Thread thread, @Nullable Object listing) {
    if (listing == null || LISTING == null) {
      thread.start();
      return;
    }
    try {
      LISTING.starter().invokeExact(thread, listing);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** The platform thread that the calling code runs on. */
  public static Thread currentCarrier() {
    Thread current = Thread.currentThread();
    if (!OWN || !current.isVirtual()) {
      return current; // a call by the handle may take memory: the JVM settles its form after some
    }
    try {
      return (Thread) CURRENT_CARRIER.invokeExact();
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** The scheduler of a virtual thread; only if {@link #isOwn()}. */
  public static @Nullable Executor schedulerOf(Thread virtual) {
    try {
      return (Executor) SCHEDULER_OF.invokeExact(virtual);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /**
   * Keeps a virtual thread on its carrier until {@link #unpin}; whatever it waits for meanwhile
   * blocks the carrier. For what must not change workers half-way, and for locks that workers take
   * too: a virtual thread that queued for one unmounted could only go on after the workers that
   * queue behind it.
   *
   * @return whether the caller must unpin: not on a platform thread, nor without own carriers
   */
  public static boolean pin() {
    if (!OWN || !Thread.currentThread().isVirtual()) {
      return false;
    }
    StackRoom.forStep(); // also for the unpin: it comes at the same depth
    try {
      PIN.invokeExact();
      return true;
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Undoes a {@link #pin} that returned true. */
  public static void unpin() {
    try {
      UNPIN.invokeExact();
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Undoes a {@link #pin}, whatever it returned. */
  public static void unpinIfVirtual() {
    if (OWN && Thread.currentThread().isVirtual()) {
      unpin();
    }
  }

  private static RuntimeException impossible(Throwable t) {
    if (t instanceof Error e) {
      throw e;
    }
    return t instanceof RuntimeException e ? e : new IllegalStateException(t);
  }

  /**
   * Makes the JDK start its pollers, which wait for sockets on behalf of virtual threads. They are
   * virtual threads themselves and take the scheduler of whoever waits for a socket first: if that
   * were a task of ours, all socket I/O of virtual threads in this JVM would end with its runtime.
   */
  private static final class Pollers {
    static {
      start();
    }

    private Pollers() {}

    static void ensureStarted() {
      // The initialiser has done it.
    }

    /** On a worker, so that what is started has the JDK's scheduler. */
    private static void start() {
      try {
        Class.forName("sun.nio.ch.Poller", true, null); // its initialiser starts them
      } catch (Throwable t) { // direct tasks work without: only I/O on the JDK's sockets may not
        FailureLog.tryLog(System.Logger.Level.WARNING, "cannot start the JDK's pollers early", t);
      }
    }
  }
}
