package dev.blitz.io.net.tls;

import dev.blitz.io.future.CheckReturnValue;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * How a server or client speaks TLS: who it is, whom it trusts, and what it agrees to. Immutable;
 * each method gives another configuration. Files are read when a {@link TlsServer} or {@link
 * TlsClient} is made of it, and again when that is reloaded.
 *
 * {@snippet :
 * TlsServer server = TlsServer.of(TlsConfig.pem(certificate, key).alpn("h2", "http/1.1"));
 * TlsClient client = TlsClient.of(TlsConfig.create().trust(authorities));
 * }
 */
@CheckReturnValue
public final class TlsConfig {
  static final String TLS_1_3 = "TLSv1.3";
  static final String TLS_1_2 = "TLSv1.2";

  private final @Nullable SSLContext context;
  private final List<IdentitySource> identities;
  private final List<TrustSource> trusted;
  private final List<String> alpn;
  private final List<String> protocols;
  private final List<String> cipherSuites;
  private final ClientCertificates clientCertificates;
  private final boolean hostNameCheck;
  private final Duration handshakeTimeout;

  private TlsConfig(Draft draft) {
    context = draft.context;
    identities = List.copyOf(draft.identities);
    trusted = List.copyOf(draft.trusted);
    alpn = draft.alpn;
    protocols = draft.protocols;
    cipherSuites = draft.cipherSuites;
    clientCertificates = draft.clientCertificates;
    hostNameCheck = draft.hostNameCheck;
    handshakeTimeout = draft.handshakeTimeout;
  }

  /** What a new configuration is made of. */
  private static final class Draft {
    @Nullable SSLContext context;
    final List<IdentitySource> identities = new ArrayList<>();
    final List<TrustSource> trusted = new ArrayList<>();
    List<String> alpn = List.of();
    List<String> protocols = List.of(TLS_1_3, TLS_1_2);
    List<String> cipherSuites = List.of();
    ClientCertificates clientCertificates = ClientCertificates.NONE;
    boolean hostNameCheck = true;
    Duration handshakeTimeout = TlsTuning.HANDSHAKE_TIMEOUT;
  }

  private Draft draft() {
    var draft = new Draft();
    draft.context = context;
    draft.identities.addAll(identities);
    draft.trusted.addAll(trusted);
    draft.alpn = alpn;
    draft.protocols = protocols;
    draft.cipherSuites = cipherSuites;
    draft.clientCertificates = clientCertificates;
    draft.hostNameCheck = hostNameCheck;
    draft.handshakeTimeout = handshakeTimeout;
    return draft;
  }

  // --- Beginnings ---

  /** A client's: trusts the authorities that the JDK does, and has no certificate. */
  public static TlsConfig create() {
    return new TlsConfig(new Draft());
  }

  /**
   * With a certificate and its key in PEM files. The first holds the certificate, then those that
   * lead to an authority; the key is PKCS#8, PKCS#1 or SEC 1.
   */
  public static TlsConfig pem(Path certificates, Path key) {
    return create().certificate(certificates, key);
  }

  /** With all certificates and keys of a key store. */
  public static TlsConfig keyStore(KeyStore store, char[] password) {
    Objects.requireNonNull(store, "store");
    Draft draft = create().draft();
    draft.identities.add(new IdentitySource.Store(store, String.valueOf(password)));
    return new TlsConfig(draft);
  }

  /** With keys and trust as in {@code context}. */
  public static TlsConfig context(SSLContext context) {
    Draft draft = create().draft();
    draft.context = Objects.requireNonNull(context, "context");
    return new TlsConfig(draft);
  }

  // --- Who we are ---

  /**
   * With one more certificate, in PEM files as for {@link #pem}. A server shows the one that is for
   * the name its client has asked for, else the first.
   */
  public TlsConfig certificate(Path certificates, Path key) {
    return with(new IdentitySource.Files(certificates, key, null));
  }

  /** As {@link #certificate(Path, Path)} with a key that is encrypted (PKCS#8). */
  public TlsConfig certificate(Path certificates, Path key, char[] password) {
    return with(new IdentitySource.Files(certificates, key, String.valueOf(password)));
  }

  /** As {@link #certificate(Path, Path)}, with what would be in the files. */
  public TlsConfig certificate(String certificates, String key) {
    return with(new IdentitySource.Text(certificates, key));
  }

  private TlsConfig with(IdentitySource source) {
    refuseIfContext("a certificate");
    Draft draft = draft();
    draft.identities.add(source);
    return new TlsConfig(draft);
  }

  // --- Whom we trust ---

  /** Trusts the authorities in a PEM file, and those of further calls, instead of the JDK's. */
  public TlsConfig trust(Path authorities) {
    return with(new TrustSource.File(Objects.requireNonNull(authorities, "authorities")));
  }

  /** As {@link #trust(Path)}, with what would be in the file. */
  public TlsConfig trust(String authorities) {
    return with(new TrustSource.Text(Objects.requireNonNull(authorities, "authorities")));
  }

  /** As {@link #trust(Path)}: the trusted certificates of a key store. */
  public TlsConfig trust(KeyStore authorities) {
    return with(new TrustSource.Store(Objects.requireNonNull(authorities, "authorities")));
  }

  private TlsConfig with(TrustSource source) {
    refuseIfContext("trust");
    Draft draft = draft();
    draft.trusted.add(source);
    return new TlsConfig(draft);
  }

  private void refuseIfContext(String what) {
    if (context != null) {
      throw new IllegalStateException(what + " belongs into the SSLContext that was given");
    }
  }

  /**
   * Whether a server asks clients for certificates; it needs to be told whom to {@link #trust} for
   * that. {@link ClientCertificates#NONE} if nothing is said.
   */
  public TlsConfig clientCertificates(ClientCertificates asks) {
    Draft draft = draft();
    draft.clientCertificates = Objects.requireNonNull(asks, "asks");
    return new TlsConfig(draft);
  }

  /**
   * Whether a client checks that the server's certificate is for the host it asked for. It does if
   * nothing is said; without, anybody with any valid certificate can pass for the server.
   */
  public TlsConfig hostNameCheck(boolean on) {
    Draft draft = draft();
    draft.hostNameCheck = on;
    return new TlsConfig(draft);
  }

  // --- What we agree to ---

  /** The protocols of the application, best first, such as {@code h2}. None if nothing is said. */
  public TlsConfig alpn(String... protocols) {
    Draft draft = draft();
    draft.alpn = List.of(protocols);
    return new TlsConfig(draft);
  }

  /**
   * The versions: {@code TLSv1.3}, {@code TLSv1.2} or, if nothing is said, both.
   *
   * @throws IllegalArgumentException for any other
   */
  public TlsConfig protocols(String... versions) {
    for (String version : versions) {
      if (!version.equals(TLS_1_3) && !version.equals(TLS_1_2)) {
        throw new IllegalArgumentException(
            "only " + TLS_1_3 + " and " + TLS_1_2 + " are spoken here, not " + version);
      }
    }
    if (versions.length == 0) {
      throw new IllegalArgumentException("at least one version is needed");
    }
    Draft draft = draft();
    draft.protocols = List.of(versions);
    return new TlsConfig(draft);
  }

  /** The cipher suites by their standard names, best first. The JDK's choice if nothing is said. */
  public TlsConfig cipherSuites(String... names) {
    Draft draft = draft();
    draft.cipherSuites = List.of(names);
    return new TlsConfig(draft);
  }

  /**
   * How long a handshake may take, from its first poll; 10 seconds if nothing is said. {@code
   * timeout(...)} of the handshake's future may shorten it.
   */
  public TlsConfig handshakeTimeout(Duration limit) {
    if (limit.isNegative() || limit.isZero()) {
      throw new IllegalArgumentException("a handshake takes some time: " + limit);
    }
    Draft draft = draft();
    draft.handshakeTimeout = limit;
    return new TlsConfig(draft);
  }

  // --- For this package ---

  @Nullable SSLContext givenContext() {
    return context;
  }

  List<IdentitySource> identities() {
    return identities;
  }

  List<TrustSource> trusted() {
    return trusted;
  }

  boolean asksForCertificates() {
    return clientCertificates != ClientCertificates.NONE;
  }

  Duration handshakeTimeout() {
    return handshakeTimeout;
  }

  void applyTo(SSLParameters parameters, boolean client) {
    parameters.setProtocols(protocols.toArray(new String[0]));
    if (!cipherSuites.isEmpty()) {
      parameters.setCipherSuites(cipherSuites.toArray(new String[0]));
    }
    parameters.setApplicationProtocols(alpn.toArray(new String[0]));
    parameters.setUseCipherSuitesOrder(true);
    if (client) {
      parameters.setEndpointIdentificationAlgorithm(hostNameCheck ? "HTTPS" : null);
    } else if (clientCertificates == ClientCertificates.REQUIRED) {
      parameters.setNeedClientAuth(true);
    } else if (clientCertificates == ClientCertificates.WANTED) {
      parameters.setWantClientAuth(true);
    }
  }

  @Override
  public String toString() {
    return "TlsConfig[" + identities + ", trusts " + trusted + ", " + protocols + "]";
  }
}
