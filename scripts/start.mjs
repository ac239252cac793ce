// @ts-check
// Plain JavaScript: Node's support of TypeScript takes 15 MB and delays every start.
import { existsSync } from 'node:fs'

const dist = new URL('../dist/', import.meta.url)
/** A build that was interrupted lacks its stamp, and may lack files. */
const isBuilt = existsSync(new URL('release', dist)) || existsSync(new URL('server/.sources', dist))
await import(isBuilt ? new URL('server/scripts-start.js', dist).href : './start.ts')
