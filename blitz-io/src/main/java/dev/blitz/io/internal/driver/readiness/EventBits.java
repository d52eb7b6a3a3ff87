package dev.blitz.io.internal.driver.readiness;

/** What may be said of a descriptor, with the numbers of {@code <poll.h>}, which epoll has too. */
public final class EventBits {
  private EventBits() {}

  public static final int READABLE = 0x1;
  public static final int URGENT = 0x2;
  public static final int WRITABLE = 0x4;
  public static final int ERROR = 0x8;
  public static final int HUNG_UP = 0x10;
  public static final int PEER_ENDED = 0x2000;

  /** After one of these a short read does not mean that nothing is left. */
  static final int EARLY_END = URGENT | PEER_ENDED | HUNG_UP | ERROR;

  /** What concerns the reading side. */
  public static final int READING = READABLE | EARLY_END;

  /** What concerns the writing side. */
  public static final int WRITING = WRITABLE | HUNG_UP | ERROR;
}
