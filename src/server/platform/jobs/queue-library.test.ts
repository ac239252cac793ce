import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const parent = mkdtempSync(join(tmpdir(), 'atrium-queue-'))
afterAll(() => rmSync(parent, { recursive: true, force: true }))
const root = new URL('../../../../', import.meta.url).pathname
/** Optional packages of the database driver are not looked for above the checkout either. */
const ownPackages = ['--import', join(root, 'scripts', 'testing', 'own-packages.ts')]

describe('loadQueueLibrary', () => {
  it('runs no configuration file from the working folder or its parents', () => {
    const inner = join(parent, 'inner')
    for (const folder of [parent, inner, join(parent, '.config')]) mkdirSync(folder, { recursive: true })
    const trap = 'process.stdout.write("trap "); module.exports = {}'
    for (const name of ['.graphile-workerrc.cjs', 'graphile-worker.config.cjs', '.config/config.cjs'])
      writeFileSync(join(parent, name), trap)
    writeFileSync(join(inner, '.graphile-workerrc.js'), trap)
    const script = (load: string) => `${load}; console.log(typeof library.run)`
    const load = (code: string) =>
      execFileSync(
        process.execPath,
        [...ownPackages, '--no-warnings', '--input-type=module', '-e', script(code)],
        {
          ...{ cwd: inner, encoding: 'utf8', env: { HOME: '/' } },
        },
      ).trim()
    const library = join(root, 'node_modules', 'graphile-worker', 'dist', 'index.js')
    expect(load(`const library = await import('${library}')`)).toMatch(/trap/)
    const own = new URL('./queue-library.ts', import.meta.url).href
    expect(
      load(`const { loadQueueLibrary } = await import('${own}'); const library = await loadQueueLibrary()`),
    ).toBe('function')
  })

  it('is the only import of the library', () => {
    const sources = globSync('{src,scripts}/**/*.ts', { cwd: root }).filter(
      (file) => !file.includes('.test.'),
    )
    const loads = /^import (?!type\b).*'graphile-worker'|import\('graphile-worker'\)/m
    expect(sources.filter((file) => loads.test(readFileSync(root + file, 'utf8')))).toEqual([
      'src/server/platform/jobs/queue-library.ts',
    ])
  })
})
