import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../bench/bundle.ts'
import { buildOnce, compiledIn } from '../../scripts/build-once.ts'
import { libraries, libraryName } from '../../scripts/server-entries.ts'
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

describe('first sign-on and first mail', () => {
  it('bundles every library they load', () => {
    const sources = globSync('src/server/{identity,platform/mail}/**/*.ts', { cwd: root })
    const loaded = sources.flatMap((path) =>
      Array.from(
        readFileSync(join(root, path), 'utf8').matchAll(/import\('([^.#'][^']*)'\)/g),
        ([, name]) => name,
      ),
    )
    expect([...new Set(loaded)].sort()).toEqual([...libraries].sort())
  })

  it('loads them in less than half the CPU time that the packages take', () => {
    const built = libraries.map((name) => join(root, 'dist', 'server', libraryName(name)))
    const ratio =
      cpuOfLoading(built, { NODE_COMPILE_CACHE: compiledIn(root) }) /
      cpuOfLoading(libraries, { NODE_DISABLE_COMPILE_CACHE: '1' })
    expect(ratio).toBeLessThan(0.5)
  })
})

/** Returns the milliseconds of CPU time that a process needs to load modules other than Node's own, the least of three attempts. */
function cpuOfLoading(modules: readonly string[], cache: NodeJS.ProcessEnv): number {
  const code = `import 'node:https'; import 'node:dns'; import 'node:stream/promises'
    void [fetch, crypto.subtle]
    const before = process.cpuUsage()
    for (const name of ${JSON.stringify(modules)}) await import(name)
    const { user, system } = process.cpuUsage(before)
    console.log(user + system)
    process.exit()`
  const env = { ...process.env, ...cache }
  const once = () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root, env }).toString())
  return Math.min(once(), once(), once()) / 1000
}

const filesIn = (folder: string) => readdirSync(folder, { recursive: true }).length
