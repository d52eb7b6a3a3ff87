/**
 * TLS over any stream of bytes, on the JDK's {@code SSLEngine}: 1.2 and 1.3. A {@link
 * dev.blitz.io.net.tls.TlsServer} or {@link dev.blitz.io.net.tls.TlsClient} turns a {@link
 * dev.blitz.io.bytes.ByteStream} into a {@link dev.blitz.io.net.tls.TlsStream}, which is one too.
 *
 * <p>Thread safety: configurations are immutable; servers and clients may be used by any number of
 * tasks; a stream as any {@link dev.blitz.io.bytes.ByteStream}: one reads while another writes, and
 * anybody closes.
 *
 * <p>Memory consistency: as for {@link dev.blitz.io.bytes}. A {@link
 * dev.blitz.io.net.tls.TlsServer#reload() reload} happens before each handshake that begins after
 * it has returned.
 */
@NullMarked
package dev.blitz.io.net.tls;

import org.jspecify.annotations.NullMarked;
