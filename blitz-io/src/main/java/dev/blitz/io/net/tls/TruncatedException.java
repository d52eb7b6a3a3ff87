package dev.blitz.io.net.tls;

import javax.net.ssl.SSLException;

/**
 * The connection has ended without the peer saying, by a close_notify, that it had nothing more to
 * send: somebody may have cut it off. A protocol that knows by itself where its messages end may
 * look over that.
 */
public final class TruncatedException extends SSLException {
  private static final long serialVersionUID = 1L;

  TruncatedException(String message) {
    super(message);
  }
}
