package dev.blitz.io.net;

/**
 * The process at the other end of a {@link UnixStream}, as the system knows it: who it was when it
 * connected, or when it began to listen.
 *
 * @param processId its number, in this process's view; 0 where the system does not tell
 * @param userId the user it runs as
 * @param groupId that user's group
 */
public record PeerCredentials(int processId, int userId, int groupId) {}
