package dev.blitz.io.internal.driver;

/** The options of a socket, all of them numbers; a flag is 0 or 1. */
public enum EndpointOption {
  REUSE_ADDRESS,
  REUSE_PORT,
  NO_DELAY,
  KEEP_ALIVE,
  KEEP_ALIVE_IDLE_SECONDS,
  KEEP_ALIVE_INTERVAL_SECONDS,
  KEEP_ALIVE_PROBES,
  /** Seconds that a close may wait for unsent data; 0 resets the connection; -1 is off. */
  LINGER_SECONDS,
  SEND_BUFFER,
  RECEIVE_BUFFER,
  TRAFFIC_CLASS,
  TIME_TO_LIVE,
  V6_ONLY
}
