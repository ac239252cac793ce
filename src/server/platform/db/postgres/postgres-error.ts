/** Why the embedded database cannot run; one sentence that says what to do. */
export class PostgresError extends Error {}
