/**
 * Deliberately broken code. Each checking tool must find its canary; a test fails the build when
 * one does not, because a tool that cannot fail proves nothing about the rest.
 */
@NullMarked
package dev.blitz.stress.canary;

import org.jspecify.annotations.NullMarked;
