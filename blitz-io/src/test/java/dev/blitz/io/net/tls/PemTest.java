package dev.blitz.io.net.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Certificates and keys in every notation, and in none. */
@Strict
@OnceIsEnough
class PemTest {

  private static PrivateKey key(String name, @Nullable String password) {
    return PemKeys.privateKey(
        Pem.parse(TlsWorld.text(name), name),
        password == null ? null : password.toCharArray(),
        name);
  }

  @Test
  void oneKey_inEachNotation_isTheSame() {
    PrivateKey expected = key("rsa-key", null);
    assertThat(expected.getAlgorithm()).isEqualTo("RSA");
    assertThat(key("rsa-pkcs1-key", null)).isEqualTo(expected);
    assertThat(key("rsa-encrypted-key", "secret")).isEqualTo(expected);
    assertThat(((ECPrivateKey) key("server-sec1-key", null)).getS())
        .isEqualTo(((ECPrivateKey) key("server-key", null)).getS());
    assertThat(key("ed25519-key", null).getAlgorithm()).isEqualTo("EdDSA");
  }

  @Test
  void aChain_isReadInItsOrder() {
    var chain = Identity.certificates(TlsWorld.text("rsa-chain"), "here");
    assertThat(chain).hasSize(2);
    assertThat(chain.get(0).getIssuerX500Principal())
        .isEqualTo(chain.get(1).getSubjectX500Principal());
  }

  @Test
  void textBetweenBlocks_andOtherLineEnds_doNotMatter() {
    String text = "a comment - with - dashes\n" + TlsWorld.text("rsa-chain") + "\nthe end";
    assertThat(Pem.parse(text, "here")).hasSize(2);
    assertThat(Pem.parse(text.replace("\n", "\r\n"), "here")).hasSize(2);
    assertThat(Pem.parse("", "here")).isEmpty();
    assertThat(Identity.certificates(text.replace("\n", "\r\n"), "here")).hasSize(2);
  }

  @Test
  void aWrongPassword_orNone_isSaid() {
    assertThatThrownBy(() -> key("rsa-encrypted-key", "guess")).hasMessageContaining("password");
    assertThatThrownBy(() -> key("rsa-encrypted-key", null)).hasMessageContaining("no password");
    assertThatThrownBy(() -> key("rsa-legacy-encrypted-key", "secret"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("openssl pkcs8 -topk8");
  }

  @Test
  void whatIsNotThere_isSaid() {
    assertThatThrownBy(() -> key("ca", null)).hasMessageContaining("ca has no private key");
    assertThatThrownBy(() -> Identity.certificates(TlsWorld.text("server-key"), "this"))
        .hasMessageContaining("this has no certificate");
    assertThatThrownBy(() ->
            Identity.ofPem(TlsWorld.text("server"), TlsWorld.text("client-key"), null, "these"))
        .hasMessageContaining("not that of the first certificate");
    assertThatThrownBy(
            () -> Identity.ofPem(TlsWorld.text("server"), TlsWorld.text("rsa-key"), null, "these"))
        .hasMessageContaining("not that of the first certificate");
  }

  @Test
  void damage_isSaid_whereverItIs() {
    String whole = TlsWorld.text("server-sec1-key");
    assertThatThrownBy(() -> Pem.parse(whole.replace("-----END", "---END"), "here"))
        .hasMessageContaining("no end");
    assertThatThrownBy(() -> Pem.parse(whole.replace("END EC", "END RSA"), "here"))
        .hasMessageContaining("damaged");
    for (String name : List.of("server-sec1-key", "rsa-pkcs1-key", "server-key", "ed25519-key")) {
      byte[] der = Pem.parse(TlsWorld.text(name), name).getFirst().der();
      String label = Pem.parse(TlsWorld.text(name), name).getFirst().label();
      for (int length = 0; length < der.length; length++) {
        var cut = new Pem(label, "", java.util.Arrays.copyOf(der, length));
        assertThatThrownBy(() -> PemKeys.privateKey(List.of(cut), null, "cut"))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  /** Whatever the bytes are, the answer is a key or the one exception. */
  @Test
  void noise_isRefused_orRead_andNothingElse() {
    var random = new SplittableRandom(7);
    byte[] der = Pem.parse(TlsWorld.text("server-sec1-key"), "").getFirst().der();
    for (int i = 0; i < 2_000; i++) {
      byte[] noise = der.clone();
      for (int n = random.nextInt(1, 4); n > 0; n--) {
        noise[random.nextInt(noise.length)] = (byte) random.nextInt();
      }
      try {
        PemKeys.privateKey(List.of(new Pem("EC PRIVATE KEY", "", noise)), null, "noise");
      } catch (IllegalArgumentException expected) {
        assertThat(expected).hasMessageContaining("noise");
      }
      byte[] text = TlsWorld.text("server").getBytes(StandardCharsets.US_ASCII);
      text[random.nextInt(text.length)] = (byte) random.nextInt(128);
      try {
        Identity.certificates(new String(text, StandardCharsets.US_ASCII), "noise");
      } catch (IllegalArgumentException expected) {
        assertThat(expected).hasMessageContaining("noise");
      }
    }
  }
}
