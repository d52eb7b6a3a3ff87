package dev.blitz.examples;

import dev.blitz.examples.internal.Secret;
import dev.blitz.io.internal.driver.backends.Backends;
import java.lang.foreign.Linker;
import java.lang.reflect.Method;
import java.util.concurrent.ThreadLocalRandom;

/** Breaks each layout rule once, so that {@link ArchitectureTest} can show that the rules bite. */
final class LayoutOffenders {
  private LayoutOffenders() {}

  /** Exposes an internal type. */
  public static final class Exposes {
    public Secret secret() {
      return new Secret();
    }
  }

  /** Touches FFM without being a {@code *Calls} class. */
  static final class BindsNative {
    Linker linker() {
      return Linker.nativeLinker();
    }
  }

  /** Opens a method of the JDK. */
  static final class OpensTheJdk {
    boolean open(Method m) {
      return m.trySetAccessible();
    }
  }

  /** Looks at the clock on the wall. */
  static final class TakesTime {
    long now() {
      return System.nanoTime();
    }
  }

  /** Throws its own dice. */
  static final class TakesChance {
    int draw() {
      return ThreadLocalRandom.current().nextInt();
    }
  }

  /** Chooses a backend. */
  static final class ChoosesABackend {
    int count() {
      return Backends.probeAll().size();
    }
  }

  /** Starts a thread itself. */
  static final class StartsThreads {
    void start(Runnable body) {
      new Thread(body).start();
    }
  }
}
