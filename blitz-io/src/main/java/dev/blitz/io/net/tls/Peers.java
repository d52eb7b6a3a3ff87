package dev.blitz.io.net.tls;

import java.net.IDN;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * What the engines of one server or client are made with. Immutable, but for the buffers.
 *
 * @param context keys and trust
 * @param config the rest
 * @param client whether they are of a client
 */
record Peers(SSLContext context, TlsConfig config, boolean client, TlsBuffers buffers) {

  Duration handshakeTimeout() {
    return config.handshakeTimeout();
  }

  SSLEngine newEngine(Optional<String> host, int port) {
    SSLEngine engine =
        host.isPresent() ? context.createSSLEngine(host.get(), port) : context.createSSLEngine();
    engine.setUseClientMode(client);
    SSLParameters parameters = engine.getSSLParameters();
    config.applyTo(parameters, client);
    if (client) {
      host.flatMap(Peers::serverName).ifPresent(n -> parameters.setServerNames(List.of(n)));
    }
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** Addresses are no names: a client asks for none then. */
  static Optional<SNIHostName> serverName(String host) {
    boolean address = host.contains(":") || host.matches("[0-9.]+");
    if (address) {
      return Optional.empty();
    }
    try {
      String ascii = IDN.toASCII(host, IDN.USE_STD3_ASCII_RULES);
      return Optional.of(
          new SNIHostName(ascii.endsWith(".") ? ascii.substring(0, ascii.length() - 1) : ascii));
    } catch (IllegalArgumentException e) {
      return Optional
          .empty(); // such as one with an underscore: the check of the name is as strict as ever
    }
  }
}
