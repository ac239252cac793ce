import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../bench/bundle.ts'
import { buildOnce, compiledIn } from '../../scripts/build-once.ts'
import { startProduct } from '../support/product.ts'

const root = join(import.meta.dirname, '..', '..')
beforeAll(() => buildOnce(root))

describe('initial page load', () => {
  it('stays within its budgets for JavaScript of login and chat, and for CSS', async () => {
    const { targets } = await run()
    expect(targets).toHaveLength(3)
    expect(targets.filter(({ met }) => met !== true)).toEqual([])
  })
})

describe('first start', () => {
  it('finds the code compiled by the build', async () => {
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
