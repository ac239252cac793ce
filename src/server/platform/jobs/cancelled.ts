/** Why the signal of a cancelled job is aborted. */
export class Cancelled extends Error {}
