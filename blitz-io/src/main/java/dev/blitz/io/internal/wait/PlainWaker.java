package dev.blitz.io.internal.wait;

import dev.blitz.io.future.Waker;

/** A waker that only notes the wake, in a queue or by an unpark: it calls nothing foreign. */
public interface PlainWaker extends Waker {}
