/** What the packages of the API beyond tasks need of a runtime. */
@NullMarked
package dev.blitz.io.internal.services;

import org.jspecify.annotations.NullMarked;
