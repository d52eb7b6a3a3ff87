@NullMarked
package dev.blitz.io.net;

import org.jspecify.annotations.NullMarked;
