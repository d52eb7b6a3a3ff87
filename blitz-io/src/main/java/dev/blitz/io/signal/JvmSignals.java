package dev.blitz.io.signal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The JVM's own way: {@code sun.misc.Signal} of the module jdk.unsupported, which is exported and
 * public, but may be absent. Looked up by name: the compiler warns of it in a way that cannot be
 * silenced.
 */
final class JvmSignals implements SignalPort {
  private static final String MISSING =
      "signals need the module jdk.unsupported, which this JVM has not loaded: start it with"
          + " --add-modules jdk.unsupported, or add that to jlink";

  /** The class {@code sun.misc.Signal} and what we use of it. */
  private record Access(
      Class<?> handlerType, MethodHandle make, MethodHandle handle, MethodHandle raise) {

    static Access of(String module) throws ReflectiveOperationException {
      Class<?> signal = Class.forName(module + ".Signal", true, ClassLoader.getSystemClassLoader());
      Class<?> handler =
          Class.forName(module + ".SignalHandler", true, ClassLoader.getSystemClassLoader());
      var lookup = MethodHandles.publicLookup();
      return new Access(
          handler,
          lookup
              .findConstructor(signal, MethodType.methodType(void.class, String.class))
              .asType(MethodType.methodType(Object.class, String.class)),
          lookup
              .findStatic(signal, "handle", MethodType.methodType(handler, signal, handler))
              .asType(MethodType.methodType(Object.class, Object.class, Object.class)),
          lookup
              .findStatic(signal, "raise", MethodType.methodType(void.class, signal))
              .asType(MethodType.methodType(void.class, Object.class)));
    }
  }

  /** Null if the module is missing. */
  private final @Nullable Access access;

  JvmSignals() {
    this("sun.misc");
  }

  /** {@code name}: of the package, for tests. */
  JvmSignals(String name) {
    Access found;
    try {
      found = Access.of(name);
    } catch (ReflectiveOperationException | LinkageError e) {
      found = null;
    }
    access = found;
  }

  @Override
  public boolean isSupported() {
    return access != null;
  }

  private Access access() {
    if (access == null) {
      throw new UnsupportedOperationException(MISSING);
    }
    return access;
  }

  @Override
  public Runnable install(Signal signal, Runnable action) {
    Access jvm = access();
    var installed = new Installed(jvm, signal, handler(jvm, signal, action));
    installed.before = set(jvm, signal, installed.ours);
    return installed;
  }

  /** Made before the handler is set: there may be no memory for it afterwards. */
  private static final class Installed implements Runnable {
    private final Access jvm;
    private final Signal signal;
    private final Object ours;
    private @Nullable Object before;

    Installed(Access jvm, Signal signal, Object ours) {
      this.jvm = jvm;
      this.signal = signal;
      this.ours = ours;
    }

    @Override
    public void run() {
      Object now = set(jvm, signal, Objects.requireNonNull(before));
      if (now != ours) {
        set(jvm, signal, now); // somebody has taken the signal from us meanwhile: it is theirs
      }
    }
  }

  private static Object handler(Access jvm, Signal signal, Runnable action) {
    return Proxy.newProxyInstance(
        jvm.handlerType.getClassLoader(),
        new Class<?>[] {jvm.handlerType},
        (self, method, arguments) ->
            switch (method.getName()) {
              case "handle" -> {
                action.run();
                yield null;
              }
              case "equals" -> self == arguments[0];
              case "hashCode" -> System.identityHashCode(self);
              default -> "listeners to SIG" + signal;
            });
  }

  private static Object set(Access jvm, Signal signal, Object handler) {
    try {
      Object sun = jvm.make.invokeExact(signal.name());
      return Objects.requireNonNull(jvm.handle.invokeExact(sun, handler));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "this JVM cannot listen to SIG"
              + signal
              + ": "
              + e.getMessage()
              + " (was it started with -Xrs?)",
          e);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("sun.misc.Signal threw what it does not declare", e);
    }
  }

  @Override
  public void raise(Signal signal) {
    Access jvm = access();
    try {
      Object sun = jvm.make.invokeExact(signal.name());
      jvm.raise.invokeExact(sun);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("sun.misc.Signal threw what it does not declare", e);
    }
  }
}
