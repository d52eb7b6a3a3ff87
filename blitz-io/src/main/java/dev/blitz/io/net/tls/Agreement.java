package dev.blitz.io.net.tls;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** What the two sides agreed on in their handshake. */
record Agreement(
    String protocol,
    String cipherSuite,
    Optional<String> applicationProtocol,
    Optional<String> serverName,
    List<X509Certificate> peerCertificates) {

  static Agreement of(SSLEngine engine, Optional<String> askedFor) {
    SSLSession session = engine.getSession();
    String alpn = engine.getApplicationProtocol();
    return new Agreement(
        session.getProtocol(),
        session.getCipherSuite(),
        alpn == null || alpn.isEmpty() ? Optional.empty() : Optional.of(alpn),
        engine.getUseClientMode() ? askedFor : requestedName(session),
        certificates(session));
  }

  private static Optional<String> requestedName(SSLSession session) {
    if (session instanceof ExtendedSSLSession extended) {
      for (SNIServerName name : extended.getRequestedServerNames()) {
        if (name instanceof SNIHostName host) {
          return Optional.of(host.getAsciiName());
        }
      }
    }
    return Optional.empty();
  }

  private static List<X509Certificate> certificates(SSLSession session) {
    try {
      List<X509Certificate> chain = new ArrayList<>();
      for (Certificate certificate : session.getPeerCertificates()) {
        if (certificate instanceof X509Certificate x509) {
          chain.add(x509);
        }
      }
      return List.copyOf(chain);
    } catch (SSLPeerUnverifiedException none) {
      return List.of();
    }
  }
}
