/** Abort reason of a cancelled job's signal. */
export class Cancelled extends Error {}
