package dev.blitz.io.policy;

/** Whether a worker that has run out of work looks for more for a moment before it sleeps. */
public enum SpinMode {
  /** Sleeps at once: least CPU, 30 to 40 microseconds of latency for the next event. */
  OFF,
  /** Spins for up to 50 microseconds, but only while that has been paying off. The default. */
  AUTO,
  /** Always spins before it sleeps: lowest latency, at the price of CPU. */
  MAX
}
