/**
 * TCP on the JDK's asynchronous channels, which are completion ports on Windows: no native call of
 * ours. Other kinds of sockets are another backend's.
 */
@NullMarked
package dev.blitz.io.internal.driver.iocp;

import org.jspecify.annotations.NullMarked;
