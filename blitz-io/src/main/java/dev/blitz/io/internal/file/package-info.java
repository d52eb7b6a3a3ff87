/** Files: what does operations on them, with memory of its own. {@code docs/design/files.md}. */
@NullMarked
package dev.blitz.io.internal.file;

import org.jspecify.annotations.NullMarked;
