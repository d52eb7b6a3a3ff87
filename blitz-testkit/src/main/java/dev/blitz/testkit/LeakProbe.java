package dev.blitz.testkit;

import java.util.List;

/**
 * Tells {@link LeakChecked} what else can be left behind: tasks, timers, native buffers.
 *
 * <p>Named in {@code META-INF/services/dev.blitz.testkit.LeakProbe} it takes part in every test;
 * {@link #register}ed it does from then on until the registration is closed. It is asked from the
 * test's thread while other threads may be at work.
 */
public interface LeakProbe {

  /**
   * What this probe counts.
   *
   * @return a noun for the failure's message, such as {@code timer}
   */
  String name();

  /**
   * What is alive now. An item is a leak when more of its kind are alive after the test than
   * before.
   *
   * @return a description per item; one that differs from item to item, by an id for instance,
   *     gives the best message
   */
  List<String> live();

  /**
   * Adds a probe for tests that know what to look at only as they run. What is alive at this moment
   * is no leak.
   *
   * @param probe the probe
   * @return a handle whose closing withdraws the probe
   */
  static Registration register(LeakProbe probe) {
    return ProbeWatch.register(probe);
  }

  /** A probe's presence. */
  interface Registration extends AutoCloseable {
    /** Withdraws the probe; what it knows is no longer checked. */
    @Override
    void close();
  }
}
