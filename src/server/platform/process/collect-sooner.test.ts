import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const program = join(import.meta.dirname, '../../../../tests/support/collect-sooner.ts')

it('keeps the heap of a process that makes much garbage small, and only while its work runs', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--max-semi-space-size=16', program])
  const { usual, sooner, after } = JSON.parse(stdout)
  expect(sooner).toBeLessThan(usual * 0.7)
  expect(after).toBeGreaterThan(sooner * 1.3)
}, 60_000)
