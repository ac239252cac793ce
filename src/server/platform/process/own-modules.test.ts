import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const parent = mkdtempSync(join(tmpdir(), 'atrium-modules-'))
const root = join(parent, 'checkout')
afterAll(() => rmSync(parent, { recursive: true, force: true }))

for (const [folder, name] of [
  [parent, 'planted'],
  [join(parent, 'home'), 'at-home'],
  [root, 'installed'],
] as const) {
  const place = join(folder, folder.endsWith('home') ? '.node_modules' : 'node_modules', name)
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'index.js'), `module.exports = '${name} ran'`)
}
mkdirSync(join(root, 'src', 'server', 'platform', 'process'), { recursive: true })
for (const name of ['own-modules.ts', 'checkout.ts'])
  cpSync(new URL(name, import.meta.url), join(root, 'src', 'server', 'platform', 'process', name))
writeFileSync(
  join(root, 'load.mjs'),
  `import { createRequire } from 'node:module'
   const require = createRequire(import.meta.url)
   const said = []
   for (const name of process.argv.slice(2)) {
     try { said.push(require(name)) } catch (error) { said.push(error.code) }
     try { said.push((await import(name)).default) } catch (error) { said.push(error.code) }
   }
   console.log(said.join(', '))`,
)

const load = (name: string, ...options: string[]) =>
  execFileSync(process.execPath, [...options, 'load.mjs', name], {
    ...{ cwd: root, encoding: 'utf8', env: { HOME: join(parent, 'home'), NODE_PATH: join(parent, 'home') } },
  }).trim()
const guard = ['--no-warnings', '--import', './src/server/platform/process/own-modules.ts']

describe('own modules', () => {
  it('loads modules installed in the checkout', () => {
    expect(load('installed', ...guard)).toBe('installed ran, installed ran')
  })

  it('finds no package in a parent folder of the checkout, where Node would find it', () => {
    expect(load('planted')).toBe('planted ran, planted ran')
    expect(load('planted', ...guard)).toBe('MODULE_NOT_FOUND, ERR_MODULE_NOT_FOUND')
  })

  it('finds no package in the home folder', () => {
    expect(load('at-home')).toBe('at-home ran, ERR_MODULE_NOT_FOUND')
    expect(load('at-home', ...guard)).toBe('MODULE_NOT_FOUND, ERR_MODULE_NOT_FOUND')
  })
})
