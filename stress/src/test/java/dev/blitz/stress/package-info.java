@NullMarked
package dev.blitz.stress;

import org.jspecify.annotations.NullMarked;
