package dev.blitz.io.net.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/** Private keys in the notations that are about: PKCS#8, encrypted or not, PKCS#1 and SEC 1. */
final class PemKeys {
  private static final byte[] RSA_ID = HexFormat.of().parseHex("06092a864886f70d010101");
  private static final byte[] EC_ID = HexFormat.of().parseHex("06072a8648ce3d0201");
  private static final byte[] NULL = {5, 0};
  private static final byte[] VERSION_0 = {Der.INTEGER, 1, 0};

  /** The JDK's names of the algorithms in PKCS#8, by the content of their object identifiers. */
  private static final Map<String, String> ALGORITHMS =
      Map.of(
          "2a864886f70d010101", "RSA",
          "2a864886f70d01010a", "RSASSA-PSS",
          "2a8648ce3d0201", "EC",
          "2b6570", "Ed25519",
          "2b6571", "Ed448");

  private PemKeys() {}

  /**
   * The private key among {@code blocks}.
   *
   * @throws IllegalArgumentException if there is none, or none that can be read
   */
  static PrivateKey privateKey(List<Pem> blocks, char @Nullable [] password, String where) {
    Pem block =
        blocks.stream()
            .filter(b -> b.label().endsWith("PRIVATE KEY"))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException(where + " has no private key"));
    try {
      return ofPkcs8(toPkcs8(block, password));
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          where + ": the private key cannot be read: " + e.getMessage(), e);
    }
  }

  private static byte[] toPkcs8(Pem block, char @Nullable [] password)
      throws GeneralSecurityException, IOException {
    if (block.headers().contains("ENCRYPTED")) {
      throw new IllegalArgumentException(
          "its encryption is of an old kind; change it by: openssl pkcs8 -topk8 -in KEY -out NEW");
    }
    return switch (block.label()) {
      case "PRIVATE KEY" -> block.der();
      case "RSA PRIVATE KEY" ->
          Der.value(
              Der.SEQUENCE,
              VERSION_0,
              Der.value(Der.SEQUENCE, RSA_ID, NULL),
              Der.value(Der.OCTETS, block.der()));
      case "EC PRIVATE KEY" ->
          Der.value(
              Der.SEQUENCE,
              VERSION_0,
              Der.value(Der.SEQUENCE, EC_ID, curveOf(block.der())),
              Der.value(Der.OCTETS, block.der()));
      case "ENCRYPTED PRIVATE KEY" -> decrypted(block.der(), password);
      default -> throw new IllegalArgumentException("a " + block.label() + " is not known here");
    };
  }

  private static byte[] curveOf(byte[] sec1) {
    Der key = Der.of(sec1).enter(Der.SEQUENCE);
    key.enter(Der.INTEGER);
    key.enter(Der.OCTETS);
    if (!key.isNext(Der.FIELD_0)) {
      throw new IllegalArgumentException("it does not name its curve");
    }
    return key.enter(Der.FIELD_0).content();
  }

  private static byte[] decrypted(byte[] der, char @Nullable [] password)
      throws GeneralSecurityException, IOException {
    if (password == null) {
      throw new IllegalArgumentException("it is encrypted, and there is no password");
    }
    var info = new EncryptedPrivateKeyInfo(der);
    // For PBES2 the algorithm's name is in the parameters, and only their toString has it.
    String name =
        info.getAlgName().equals("PBES2") || info.getAlgName().equals("1.2.840.113549.1.5.13")
            ? info.getAlgParameters().toString()
            : info.getAlgName();
    var spec = new PBEKeySpec(password);
    try {
      var key = SecretKeyFactory.getInstance(name).generateSecret(spec);
      Cipher cipher = Cipher.getInstance(name);
      cipher.init(Cipher.DECRYPT_MODE, key, info.getAlgParameters());
      return info.getKeySpec(cipher).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("the password is wrong, or the key is damaged", e);
    } finally {
      spec.clearPassword();
    }
  }

  private static PrivateKey ofPkcs8(byte[] der) throws GeneralSecurityException {
    Der key = Der.of(der).enter(Der.SEQUENCE);
    key.enter(Der.INTEGER);
    byte[] id = key.enter(Der.SEQUENCE).enter(Der.OBJECT_ID).content();
    String algorithm = ALGORITHMS.get(HexFormat.of().formatHex(id));
    if (algorithm == null) {
      throw new IllegalArgumentException("its algorithm is not known: " + Arrays.toString(id));
    }
    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
  }
}
