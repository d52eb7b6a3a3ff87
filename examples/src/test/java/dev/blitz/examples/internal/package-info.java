/** Stands for any internal package in the tests of the layout rules. */
@NullMarked
package dev.blitz.examples.internal;

import org.jspecify.annotations.NullMarked;
