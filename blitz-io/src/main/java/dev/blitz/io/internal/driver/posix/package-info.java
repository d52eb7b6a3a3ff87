/**
 * What every native backend, and files and processes, share: one errno, one binding of the C
 * library, one life of a descriptor.
 */
@NullMarked
package dev.blitz.io.internal.driver.posix;

import org.jspecify.annotations.NullMarked;
