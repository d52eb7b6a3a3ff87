package dev.blitz.io.net.tls;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A certificate, those that lead from it to an authority, and its key.
 *
 * @param chain its own first
 */
record Identity(List<X509Certificate> chain, PrivateKey key) {
  /** Of alternative names: one of a host. */
  private static final int DNS_NAME = 2;

  /**
   * From text.
   *
   * @throws IllegalArgumentException if it is none, or the key is another certificate's
   */
  static Identity ofPem(String certificates, String key, char @Nullable [] password, String where) {
    List<X509Certificate> chain = certificates(certificates, where);
    var identity = new Identity(chain, PemKeys.privateKey(Pem.parse(key, where), password, where));
    identity.requireMatch(where);
    return identity;
  }

  /** The certificates in a text; at least one. */
  static List<X509Certificate> certificates(String text, String where) {
    List<X509Certificate> found = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (Pem block : Pem.parse(text, where)) {
        if (block.label().equals("CERTIFICATE") || block.label().equals("X509 CERTIFICATE")) {
          var certificate = factory.generateCertificate(new ByteArrayInputStream(block.der()));
          found.add((X509Certificate) certificate);
        }
      }
    } catch (CertificateException e) {
      throw new IllegalArgumentException(
          where + ": a certificate cannot be read: " + e.getMessage(), e);
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException(where + " has no certificate");
    }
    return List.copyOf(found);
  }

  /** All those of a key store. */
  static List<Identity> ofStore(KeyStore store, char[] password) throws GeneralSecurityException {
    List<Identity> found = new ArrayList<>();
    for (var aliases = store.aliases(); aliases.hasMoreElements(); ) {
      String alias = aliases.nextElement();
      if (store.isKeyEntry(alias) && store.getKey(alias, password) instanceof PrivateKey key) {
        List<X509Certificate> chain = new ArrayList<>();
        for (var certificate : store.getCertificateChain(alias)) {
          chain.add((X509Certificate) certificate);
        }
        found.add(new Identity(List.copyOf(chain), key));
      }
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException("the key store has no private key");
    }
    return found;
  }

  /** By a signature: the two have no other thing in common in all algorithms. */
  private void requireMatch(String where) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          case "EdDSA", "Ed25519", "Ed448" -> "EdDSA";
          default -> "";
        };
    if (algorithm.isEmpty()) {
      return;
    }
    boolean match;
    try {
      byte[] text = {1, 2, 3};
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(text);
      byte[] signature = signing.sign();
      Signature checking = Signature.getInstance(algorithm);
      checking.initVerify(chain.getFirst().getPublicKey());
      checking.update(text);
      match = checking.verify(signature);
    } catch (GeneralSecurityException e) {
      match = false;
    }
    if (!match) {
      throw new IllegalArgumentException(
          where + ": the private key is not that of the first certificate");
    }
  }

  /** The kind of its key, as the engine asks for it. */
  String keyType() {
    return chain.getFirst().getPublicKey().getAlgorithm();
  }

  /** Whether it is for {@code host}, by name or by a wildcard for the first label. */
  boolean isFor(String host) {
    String asked = host.toLowerCase(Locale.ROOT);
    int dot = asked.indexOf('.');
    String wildcard = dot > 0 ? "*" + asked.substring(dot) : asked;
    return names().stream().anyMatch(name -> name.equals(asked) || name.equals(wildcard));
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    X509Certificate own = chain.getFirst();
    try {
      Collection<List<?>> alternatives = own.getSubjectAlternativeNames();
      if (alternatives != null) {
        for (List<?> entry : alternatives) {
          if (entry.getFirst() instanceof Integer kind && kind == DNS_NAME) {
            names.add(entry.get(1).toString().toLowerCase(Locale.ROOT));
          }
        }
      }
    } catch (CertificateException e) {
      // It names nobody.
    }
    return names;
  }

  /** Says nothing of the key. */
  @Override
  public String toString() {
    return "Identity[" + chain.getFirst().getSubjectX500Principal() + "]";
  }
}
