/**
 * The nio backend: the JDK's selector and channels, which need no native access. What runs where
 * native access is denied, and on systems that have no backend of their own.
 */
@NullMarked
package dev.blitz.io.internal.driver.nio;

import org.jspecify.annotations.NullMarked;
