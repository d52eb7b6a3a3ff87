package dev.blitz.io.net.tls;

/** Whether a server asks its clients for certificates. */
public enum ClientCertificates {
  /** It does not ask. */
  NONE,
  /** It asks, and accepts clients that have none; one that is not trusted is refused. */
  WANTED,
  /** It refuses clients without one. */
  REQUIRED
}
