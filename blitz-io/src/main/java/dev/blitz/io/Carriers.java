package dev.blitz.io;

import dev.blitz.io.internal.base.CarrierAccess;

/**
 * Who carries the virtual threads of direct tasks.
 *
 * @param own whether it is the runtime's own workers; otherwise the JDK's scheduler does
 * @param reason why
 */
public record Carriers(boolean own, String reason) {

  /** How it is in this JVM. */
  static Carriers here() {
    return new Carriers(CarrierAccess.isOwn(), CarrierAccess.reason());
  }

  @Override
  public String toString() {
    return (own ? "own carriers: " : "the JDK's carriers: ") + reason;
  }
}
