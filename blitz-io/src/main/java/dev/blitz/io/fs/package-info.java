/**
 * Files: {@link dev.blitz.io.fs.AsyncFile} is one that is open, or read or written as a whole;
 * {@link dev.blitz.io.fs.FileTree} works with names: directories, links, renames, copies. No
 * operation blocks a worker. Failures are those of {@code java.nio.file}, with the path and the
 * operation.
 *
 * <p>Memory consistency: what happened before an operation was begun happens before what the system
 * does for it, and that happens before what follows a successful wait for it. Operations on one
 * side of one file happen one after the other; positioned ones may happen at the same time.
 */
@NullMarked
package dev.blitz.io.fs;

import org.jspecify.annotations.NullMarked;
