package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.posix.Descriptor;

/** An operation on a descriptor, which it uses until its last completion. */
/* Implementation notes
 *
 * Closing: the closer marks the descriptor, then reads `armedOn` in cancel; arm writes `armedOn`, then looks at the
 * descriptor. Both words are volatile, so either the closer cancels or the arming thread does.
 */
abstract class DescriptorOperation extends Operation {
  private final Descriptor descriptor;

  DescriptorOperation(Descriptor descriptor) {
    this.descriptor = descriptor;
  }

  final Descriptor descriptor() {
    return descriptor;
  }

  @Override
  final boolean tryBegin() {
    return descriptor.tryUse();
  }

  @Override
  final void aborted() {
    descriptor.release(); // the last user closes the number
  }

  @Override
  final boolean isUnwanted() {
    return !descriptor.isOpen() && endsWithDescriptor();
  }

  @Override
  final void ended(WokenSlots woken) {
    woken.release(descriptor);
  }

  /** Whether closing the descriptor cancels it, or lets it do its work first. */
  boolean endsWithDescriptor() {
    return true;
  }
}
