/**
 * What a runtime is built with where there is a choice: its clock, how idle workers wait, who is
 * told of failures that nobody sees, what happens on an Error of the virtual machine, and what goes
 * along with every spawn. Knows nothing else of Blitz.
 */
@NullMarked
package dev.blitz.io.policy;

import org.jspecify.annotations.NullMarked;
