package dev.blitz.io.net.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Where the certificates of authorities come from. Blocks. */
sealed interface TrustSource {
  List<X509Certificate> load() throws IOException, GeneralSecurityException;

  /** A PEM file. */
  record File(Path path) implements TrustSource {
    @Override
    public List<X509Certificate> load() throws IOException {
      return Identity.certificates(Files.readString(path), path.toString());
    }
  }

  /** What would be in a PEM file. */
  record Text(String pem) implements TrustSource {
    @Override
    public List<X509Certificate> load() {
      return Identity.certificates(pem, "the text");
    }

    @Override
    public String toString() {
      return "text";
    }
  }

  /** A key store. */
  record Store(KeyStore store) implements TrustSource {
    @Override
    public List<X509Certificate> load() throws GeneralSecurityException {
      List<X509Certificate> found = new ArrayList<>();
      for (var aliases = store.aliases(); aliases.hasMoreElements(); ) {
        String alias = aliases.nextElement();
        if (store.isCertificateEntry(alias)
            && store.getCertificate(alias) instanceof X509Certificate certificate) {
          found.add(certificate);
        }
      }
      return found;
    }
  }
}
