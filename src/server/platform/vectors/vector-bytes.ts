/** Numbers of four bytes each, the lowest byte first: how the database keeps a vector. */
export const toBytes = (vector: ArrayLike<number>): Buffer => Buffer.from(Float32Array.from(vector).buffer)

/** The numbers of a stored vector; copied, for bytes need not begin where a number may. */
export const fromBytes = (bytes: Buffer): Float32Array => new Float32Array(new Uint8Array(bytes).buffer)
