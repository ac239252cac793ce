/** The embedded database cannot run. The message is one sentence that says what to do. */
export class PostgresError extends Error {}
