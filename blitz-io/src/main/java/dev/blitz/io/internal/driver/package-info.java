/** What an idle worker waits in: the Driver interface and its backends. */
@NullMarked
package dev.blitz.io.internal.driver;

import org.jspecify.annotations.NullMarked;
