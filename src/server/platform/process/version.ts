import { readFileSync } from 'node:fs'
import { checkout } from './checkout.ts'

/** Returns the version of this Atrium, such as `1.4.0`. */
export function readVersion(): string {
  return JSON.parse(readFileSync(new URL('package.json', checkout), 'utf8')).version
}
