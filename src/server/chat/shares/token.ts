import { createHash, randomBytes } from 'node:crypto'

/** What stands in the address of a link: 128 bits by chance. */
export const newToken = () => randomBytes(16).toString('base64url')

/** What it is found by. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest()
