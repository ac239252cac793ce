import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import config from '../../vitest.config.ts'

const parent = mkdtempSync(join(tmpdir(), 'atrium-above-'))
const checkout = join(parent, 'checkout')
const hook = join(checkout, 'scripts', 'testing', 'own-packages.ts')
const put = (folder: string, name: string) => {
  const place = join(folder, 'node_modules', name)
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'index.js'), "console.log('ran')")
}
beforeAll(() => {
  put(parent, 'foreign')
  put(checkout, 'installed')
  cpSync(join(import.meta.dirname, 'own-packages.ts'), hook, { recursive: true })
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))

/** Runs a script in the checkout. Returns what it prints. */
function run(script: string, args: string[]): string {
  return execFileSync(process.execPath, [...args, '--no-warnings', '--input-type=commonjs', '-e', script], {
    ...{ cwd: checkout, encoding: 'utf8', env: {} },
  }).trim()
}

describe('a test process', () => {
  const ways = ["require('NAME')", "import('NAME').catch((error) => console.log(error.code))"]

  it.each(ways)('finds no package above the checkout with %s', (way) => {
    const script = `try { ${way.replace('NAME', 'foreign')} } catch (error) { console.log(error.code) }`
    expect(run(script, [])).toMatch(/ran|ERR_MODULE_NOT_FOUND/)
    expect(run(script, ['--import', hook])).toMatch(/^(ERR_)?MODULE_NOT_FOUND$/)
  })

  it.each(ways)('finds the packages of the checkout with %s', (way) => {
    expect(run(way.replace('NAME', 'installed'), ['--import', hook])).toBe('ran')
  })

  it('runs with this limit, and caches nothing above the checkout', () => {
    const { execArgv, fsModuleCachePath } = config.test ?? {}
    expect(execArgv).toEqual(['--import', new URL('./own-packages.ts', import.meta.url).href])
    expect(fsModuleCachePath).toMatch(/^.+\/node_modules\/\.vitest-cache$/)
    expect(process.execArgv).toEqual(expect.arrayContaining(execArgv ?? []))
  })
})
