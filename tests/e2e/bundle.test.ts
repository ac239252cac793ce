import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../bench/bundle.ts'
import { buildOnce, compiledIn } from '../../scripts/build-once.ts'
import { startProduct } from '../support/product.ts'

const root = join(import.meta.dirname, '..', '..')
beforeAll(() => buildOnce(root))

describe('what a page loads before it works', () => {
  it('stays within its budgets: JavaScript of the login and the chat, and CSS', async () => {
    const { targets } = await run()
    expect(targets).toHaveLength(3)
    expect(targets.filter(({ met }) => met !== true)).toEqual([])
  })
})

describe('a first start', () => {
  it('finds its code compiled by the build', async () => {
    const before = filesIn(compiledIn(root))
    const dataDir = mkdtempSync(join(tmpdir(), 'atrium-first-'))
    const product = await startProduct({ dataDir, env: { NODE_COMPILE_CACHE: '' } })
    await product.stop()
    expect(before).toBeGreaterThan(500)
    const compiled = filesIn(compiledIn(root)) - before + filesIn(join(dataDir, 'cache', 'compile'))
    expect(compiled).toBeLessThan(before / 20)
    rmSync(dataDir, { recursive: true })
  })
})

const filesIn = (folder: string) => readdirSync(folder, { recursive: true }).length
