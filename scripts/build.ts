import { join } from 'node:path'
import { buildWebOnce } from './build-web.ts'

/** `npm run build`: the web, unless it is built of these sources already. A start after it builds nothing. */
await buildWebOnce(join(import.meta.dirname, '..'))
