package dev.blitz.testkit;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Watches the live platform threads of the JVM. */
final class ThreadWatch implements LeakWatch {

  /**
   * Classes of threads that only the JDK makes: cleaners, pollers, process reaper; carriers of
   * virtual threads.
   */
  private static final Set<String> IGNORED_CLASSES =
      Set.of("jdk.internal.misc.InnocuousThread", "jdk.internal.misc.CarrierThread");

  /** Threads that others start when they see fit and that live as long as the JVM. */
  private static final List<Pattern> IGNORED_NAMES =
      List.of(
          // the JVM's own, in so far as they are visible
          Pattern.compile("Reference Handler|Finalizer|Signal Dispatcher|Notification Thread"),
          Pattern.compile("Attach Listener|DestroyJavaVM|Service Thread|.* CompilerThread\\d+"),
          Pattern.compile("Common-Cleaner|Cleaner-\\d+|process reaper.*|(Read|Write)-Poller.*"),
          Pattern.compile("VirtualThread-unparker.*|VirtualThread-unblocker"),
          // ours, for what is lost without being closed
          Pattern.compile("dev\\.blitz\\.io-cleaner"),
          // timed waits of virtual threads on the JDK's own scheduler
          Pattern.compile("ForkJoinPool-\\d+-delayScheduler"),
          // shared by the whole JVM: the common pool with its timer, flight recorder, remote
          // management
          Pattern.compile("ForkJoinPool\\.commonPool-.*"),
          Pattern.compile("JFR .*|RMI .*|JMX .*"),
          // those who run and observe the tests
          Pattern.compile("surefire-.*|junit-.*|" + Watchdog.THREAD_NAME),
          Pattern.compile("IntelliJ .*|org\\.jacoco\\..*"));

  private final List<Pattern> alsoIgnored;

  ThreadWatch(List<Pattern> alsoIgnored) {
    this.alsoIgnored = alsoIgnored;
  }

  @Override
  public String kind() {
    return "thread";
  }

  @Override
  public Map<Object, Supplier<String>> live() {
    Map<Object, Supplier<String>> live = new HashMap<>();
    for (Thread thread : allThreads()) {
      if (thread.isAlive() && !thread.equals(Thread.currentThread()) && !ignored(thread)) {
        live.put(thread, () -> describe(thread));
      }
    }
    return live;
  }

  private boolean ignored(Thread thread) {
    return IGNORED_CLASSES.contains(thread.getClass().getName())
        || matchesAny(IGNORED_NAMES, thread.getName())
        || matchesAny(alsoIgnored, thread.getName());
  }

  static boolean matchesAny(List<Pattern> patterns, String text) {
    return patterns.stream().anyMatch(p -> p.matcher(text).matches());
  }

  /* Thread.getAllStackTraces would walk every stack at a safepoint, twice per test. */
  private static List<Thread> allThreads() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    while (root.getParent() != null) {
      root = root.getParent();
    }
    Thread[] threads = new Thread[64];
    int count = root.enumerate(threads);
    while (count == threads.length) {
      threads = new Thread[threads.length * 2];
      count = root.enumerate(threads);
    }
    return Arrays.asList(threads).subList(0, count);
  }

  private static String describe(Thread thread) {
    var text = new StringBuilder();
    text.append('"').append(thread.getName()).append("\" #").append(thread.threadId());
    text.append(thread.isDaemon() ? " daemon " : " ").append(thread.getState());
    for (StackTraceElement frame : thread.getStackTrace()) {
      text.append("\n        at ").append(frame);
    }
    return text.toString();
  }
}
