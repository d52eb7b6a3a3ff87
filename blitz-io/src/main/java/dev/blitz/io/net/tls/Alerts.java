package dev.blitz.io.net.tls;

import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** The last words of an engine that has failed. */
final class Alerts {
  /** It tells of a failure in a task up to twice before it makes the alert of it. */
  private static final int TRIES = 3;

  private Alerts() {}

  /** Makes records of the alerts that the engine has for the peer; sends nothing. */
  static void wrap(RecordLayer layer) {
    for (int failures = 0; failures < TRIES && layer.hasRoom(); ) {
      if (layer.engine.getHandshakeStatus() != HandshakeStatus.NEED_WRAP) {
        return;
      }
      try {
        if (layer.wrapControl().bytesProduced() == 0) {
          return;
        }
      } catch (SSLException | RuntimeException again) {
        failures++;
      }
    }
  }
}
