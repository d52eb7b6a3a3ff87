package dev.blitz.io.net.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Makes the JDK's contexts out of configurations. Blocks: it reads files. */
final class Contexts {
  private Contexts() {}

  /**
   * What the engines of {@code config} are made with.
   *
   * @throws IllegalArgumentException if the configuration is not one for this
   * @throws IOException if a file cannot be read
   */
  static Peers peers(TlsConfig config, boolean client, TlsBuffers buffers) throws IOException {
    try {
      SSLContext given = config.givenContext();
      SSLContext context = given != null ? given : make(config, client);
      var peers = new Peers(context, config, client, buffers);
      peers.newEngine(Optional.empty(), -1); // says now if it can make none
      return peers;
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("this TLS configuration does not work: " + e, e);
    }
  }

  private static SSLContext make(TlsConfig config, boolean client)
      throws IOException, GeneralSecurityException {
    List<Identity> identities = new ArrayList<>();
    for (IdentitySource source : config.identities()) {
      identities.addAll(source.load());
    }
    if (!client && identities.isEmpty()) {
      throw new IllegalArgumentException(
          "a server needs a certificate: begin with TlsConfig.pem(certificate, key)");
    }
    SSLContext context = SSLContext.getInstance("TLS");
    KeyManager[] keys = {new Identities(identities)};
    context.init(identities.isEmpty() ? new KeyManager[0] : keys, trust(config, client), null);
    return context;
  }

  private static TrustManager @Nullable [] trust(TlsConfig config, boolean client)
      throws IOException, GeneralSecurityException {
    if (config.trusted().isEmpty()) {
      if (!client && config.asksForCertificates()) {
        throw new IllegalArgumentException(
            "clients are asked for certificates, and nobody is trusted: trust(authorities)");
      }
      return client ? null : new TrustManager[0]; // null: those of the JDK
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    for (TrustSource source : config.trusted()) {
      for (X509Certificate authority : source.load()) {
        store.setCertificateEntry(String.valueOf(store.size()), authority);
      }
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }
}
