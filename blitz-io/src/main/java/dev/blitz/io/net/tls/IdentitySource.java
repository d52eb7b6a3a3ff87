package dev.blitz.io.net.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where certificates with their keys come from. Blocks. */
sealed interface IdentitySource {
  List<Identity> load() throws IOException, GeneralSecurityException;

  /** PEM files. */
  record Files(Path certificates, Path key, @Nullable String password) implements IdentitySource {
    @Override
    public List<Identity> load() throws IOException {
      String where = certificates + " and " + key;
      return List.of(
          Identity.ofPem(
              java.nio.file.Files.readString(certificates),
              java.nio.file.Files.readString(key),
              password == null ? null : password.toCharArray(),
              where));
    }

    @Override
    public String toString() {
      return certificates.toString();
    }
  }

  /** What would be in PEM files. */
  record Text(String certificates, String key) implements IdentitySource {
    @Override
    public List<Identity> load() {
      return List.of(Identity.ofPem(certificates, key, null, "the text"));
    }

    @Override
    public String toString() {
      return "text";
    }
  }

  /** A key store. */
  record Store(KeyStore store, String password) implements IdentitySource {
    @Override
    public List<Identity> load() throws GeneralSecurityException {
      return Identity.ofStore(store, password.toCharArray());
    }

    @Override
    public String toString() {
      return "a key store";
    }
  }
}
