import { fileURLToPath } from 'node:url'
import type { BoxCommand } from './bubblewrap.ts'

const child = fileURLToPath(new URL('inside/run-quickjs.ts', import.meta.url))
const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * JavaScript in an interpreter of its own (QuickJS, as WebAssembly), in a process that may read this product's code and
 * nothing else: no files, no network, no environment.
 */
export function javascriptInBox(): BoxCommand {
  const args = [
    ...['--permission', `--allow-fs-read=${root}`, '--no-warnings', '--max-old-space-size=256', child],
  ]
  return {
    program: process.execPath,
    args,
    filter: null,
    opened: [],
    release: () => undefined,
    user: {},
    env: {},
  }
}
