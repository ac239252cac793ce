/** Encodes numbers as little-endian 32-bit floats, the format of vectors in the database. */
export const toBytes = (vector: ArrayLike<number>): Buffer => Buffer.from(Float32Array.from(vector).buffer)

/** Decodes a stored vector. It copies the bytes, because their offset may be unaligned. */
export const fromBytes = (bytes: Buffer): Float32Array => new Float32Array(new Uint8Array(bytes).buffer)
