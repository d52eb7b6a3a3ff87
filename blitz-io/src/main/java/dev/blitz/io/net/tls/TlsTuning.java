package dev.blitz.io.net.tls;

import java.time.Duration;

/** The sizes and times of TLS. */
final class TlsTuning {
  private TlsTuning() {}

  /** The largest record of either version with its header and what encryption adds. */
  static final int RECORD_BYTES = 16 * 1024 + 512;

  /**
   * How many records a buffer for encrypted bytes holds: so many are moved by one system call when
   * there is much to move. More would fill the caches with what is used once; with one, calls cost
   * as much as encryption. At least two: the JDK accepts records of twice the size.
   */
  static final int RECORDS_PER_BUFFER = 4;

  /**
   * Buffers of each kind that a server or client keeps for the next who needs one. It needs as many
   * as connections are in the middle of a transfer; beyond, they are made anew each time.
   */
  static final int SPARE_BUFFERS = 64;

  /**
   * Records in which nothing is for the user that one read looks at before others get their turn. A
   * ticket or a key update comes alone; a peer that sends nothing else must not keep a worker.
   */
  static final int EMPTY_RECORDS_PER_POLL = 32;

  /**
   * What a handshake may take unless its owner says otherwise. Slow links and busy servers need
   * some seconds; longer ones would let silent peers hold connections.
   */
  static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(10);
}
