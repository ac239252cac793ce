// @ts-check
// Plain JavaScript: Node's support of TypeScript takes 15 MB and delays every start.
import { existsSync } from 'node:fs'

const built = new URL('../dist/server/scripts-start.js', import.meta.url)
await import(existsSync(built) ? built.href : './start.ts')
