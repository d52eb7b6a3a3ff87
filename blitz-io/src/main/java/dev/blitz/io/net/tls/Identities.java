package dev.blitz.io.net.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Chooses among several certificates: a server by the name that its client has asked for, and if
 * none is for that name, or it asked for none, the first of a kind that both know; a client by the
 * authorities that the server trusts. An alias is the index.
 */
final class Identities extends X509ExtendedKeyManager {
  private final List<Identity> all;

  Identities(List<Identity> all) {
    this.all = List.copyOf(all);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    String asked = engine == null ? null : requestedName(engine);
    List<Identity> candidates =
        asked == null ? all : all.stream().filter(i -> i.isFor(asked)).toList();
    return alias(candidates.isEmpty() ? all : candidates, keyType);
  }

  private @Nullable String alias(List<Identity> candidates, String keyType) {
    for (Identity candidate : candidates) {
      if (isOf(candidate, keyType)) {
        return String.valueOf(all.indexOf(candidate));
      }
    }
    return null;
  }

  /** Types may name the kind of signature too: {@code EC_RSA} is an EC key. */
  private static boolean isOf(Identity identity, String keyType) {
    int end = keyType.indexOf('_');
    return identity.keyType().equals(end < 0 ? keyType : keyType.substring(0, end));
  }

  private static @Nullable String requestedName(SSLEngine engine) {
    if (engine.getHandshakeSession() instanceof ExtendedSSLSession session) {
      for (var name : session.getRequestedServerNames()) {
        if (name instanceof SNIHostName host) {
          return host.getAsciiName();
        }
      }
    }
    return null;
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    for (Identity identity : all) {
      boolean known = Arrays.stream(keyTypes).anyMatch(type -> isOf(identity, type));
      if (known && isIssuedByOneOf(identity, issuers)) {
        return String.valueOf(all.indexOf(identity));
      }
    }
    return null;
  }

  private static boolean isIssuedByOneOf(Identity identity, Principal @Nullable [] issuers) {
    if (issuers == null || issuers.length == 0) {
      return true;
    }
    List<Principal> trusted = Arrays.asList(issuers);
    return identity.chain().stream().anyMatch(c -> trusted.contains(c.getIssuerX500Principal()));
  }

  private @Nullable Identity of(String alias) {
    int index = Integer.parseInt(alias);
    return index < all.size() ? all.get(index) : null;
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    Identity identity = of(alias);
    return identity == null ? null : identity.chain().toArray(new X509Certificate[0]);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    Identity identity = of(alias);
    return identity == null ? null : identity.key();
  }

  // --- What only sockets and old callers ask ---

  private String[] aliases(String keyType) {
    List<String> found = new ArrayList<>();
    IntStream.range(0, all.size())
        .filter(i -> isOf(all.get(i), keyType))
        .forEach(i -> found.add(String.valueOf(i)));
    return found.toArray(new String[0]);
  }

  @Override
  public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return aliases(keyType);
  }

  @Override
  public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return aliases(keyType);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return chooseEngineClientAlias(keyType, issuers, null);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return chooseEngineServerAlias(keyType, issuers, null);
  }
}
