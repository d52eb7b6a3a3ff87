package dev.blitz.io.internal.names;

import dev.blitz.io.policy.NameLookup;
import java.time.Duration;

/**
 * What a runtime was told of names.
 *
 * @param lookup who is asked
 * @param known how long addresses are kept; zero for not at all
 * @param unknown how long it is kept that there are none
 */
public record NameSettings(NameLookup lookup, Duration known, Duration unknown) {}
