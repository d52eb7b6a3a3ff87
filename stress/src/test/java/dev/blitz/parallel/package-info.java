@NullMarked
package dev.blitz.parallel;

import org.jspecify.annotations.NullMarked;
