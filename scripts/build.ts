import { join } from 'node:path'
import { buildOnce } from './build-once.ts'

/** `npm run build`: the web, and the server's code compiled, unless the web is built of these sources already. A start after it builds nothing. */
await buildOnce(join(import.meta.dirname, '..'))
