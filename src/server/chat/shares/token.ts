import { createHash, randomBytes } from 'node:crypto'

/** Returns a new random link token of 128 bits. */
export const newToken = () => randomBytes(16).toString('base64url')

/** Returns the lookup hash of a token. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest()
