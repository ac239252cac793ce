/** Thrown when an installation cannot be backed up or restored. The message is one line that says what to do. */
export class BackupError extends Error {}
