import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const LARGE_BYTES = 32 * 2 ** 20
const LOOK_MS = 1_000
const program = join(import.meta.dirname, '../../../../tests/support/give-back-memory.ts')

it('returns the memory of a busy process once it is idle, and forces no collection while it works', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    String(LARGE_BYTES),
    String(LOOK_MS),
  ])
  const { forced, busy, quiet } = JSON.parse(stdout)
  expect(forced).toBe(0)
  expect(busy).toBeGreaterThan(LARGE_BYTES)
  expect(quiet).toBeLessThan(LARGE_BYTES / 2)
}, 60_000)
