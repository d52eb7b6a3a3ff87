/**
 * The canaries' correct twins. They must pass, which shows that a tool does not merely fail
 * everything, and they keep every kind of check present in each run.
 */
@NullMarked
package dev.blitz.stress.control;

import org.jspecify.annotations.NullMarked;
