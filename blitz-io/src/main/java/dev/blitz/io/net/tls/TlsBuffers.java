package dev.blitz.io.net.tls;

/**
 * The buffers that the connections of a server or client share.
 *
 * @param records for encrypted bytes, several records each
 * @param plaintexts for what one record contains
 */
record TlsBuffers(RecordBuffers records, RecordBuffers plaintexts) {
  static TlsBuffers create() {
    return new TlsBuffers(
        new RecordBuffers(
            TlsTuning.RECORDS_PER_BUFFER * TlsTuning.RECORD_BYTES, TlsTuning.SPARE_BUFFERS),
        new RecordBuffers(TlsTuning.RECORD_BYTES, TlsTuning.SPARE_BUFFERS));
  }
}
