package dev.blitz.benchmarks.net;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * The certificate of all TLS servers here, and the engines of their clients. It protects nothing.
 */
final class TlsMaterial {
  static final String PROTOCOL = "TLSv1.3";
  static final String CIPHER = "TLS_AES_128_GCM_SHA256";

  private TlsMaterial() {}

  static InputStream certificate() {
    return resource("certificate.pem");
  }

  static InputStream key() {
    return resource("key.pem");
  }

  static String text(InputStream resource) throws IOException {
    try (resource) {
      return new String(resource.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private static InputStream resource(String name) {
    InputStream found = TlsMaterial.class.getResourceAsStream(name);
    if (found == null) {
      throw new IllegalStateException("no " + name);
    }
    return found;
  }

  /** For clients that believe everybody: what they check is not what is measured. */
  static SSLContext clientContext() throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Believer()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  /** Without a host, so that no session is resumed. */
  static SSLEngine clientEngine(SSLContext context) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(true);
    engine.setEnabledProtocols(new String[] {PROTOCOL});
    engine.setEnabledCipherSuites(new String[] {CIPHER});
    return engine;
  }

  private static final class Believer implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
