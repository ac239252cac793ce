import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeDataFolder } from './data-folder.ts'

const base = mkdtempSync('/tmp/atrium-folder-')
chmodSync(base, 0o711)
afterAll(() => rmSync(base, { recursive: true, force: true }))

const isRoot = process.getuid?.() === 0
const module = new URL('./data-folder.ts', import.meta.url)

describe('a data folder', () => {
  it('is created empty with its parents, and other users can traverse it', () => {
    const folder = join(base, 'not', 'there', 'yet')
    makeDataFolder(folder)
    makeDataFolder(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o711)
    expect(readdirSync(folder)).toEqual([])
  })

  it.runIf(isRoot && existsSync('is refused if another user owns it'))('of another user is refused', () => {
    const folder = join(base, 'foreign')
    mkdirSync(folder, { mode: 0o755 })
    const script = `import { readFileSync } from 'node:fs'
      import { stripTypeScriptTypes } from 'node:module'
      const code = stripTypeScriptTypes(readFileSync(0, 'utf8'))
      const { makeDataFolder } = await import('data:text/javascript,' + encodeURIComponent(code))
      try { makeDataFolder(process.argv[1]) } catch ({ message }) { console.log(message) }`
    const user = ['--reuid', '65534', '--regid', '65534', '--clear-groups', '--']
    const node = [process.execPath, '--no-warnings', '--input-type=module', '-e', script]
    for (const place of [folder, join(folder, 'below')]) {
      const said = execFileSync('setpriv', [...user, ...node, place], {
        ...{ input: execFileSync('cat', [module.pathname]), cwd: '/', encoding: 'utf8' },
      })
      expect(said).toMatch(/^EACCES: permission denied/)
    }
  })

  it.runIf(canMount())('is refused if it is read-only', () => {
    const folder = join(base, 'disk')
    execFileSync('mount', ['-o', 'remount,ro', folder])
    expect(() => makeDataFolder(folder)).toThrow(/^EROFS: /)
    expect(() => makeDataFolder(join(folder, 'below'))).toThrow(/^EROFS: /)
    execFileSync('umount', ['-l', folder])
  })
})

/** Returns whether the test could mount a disk. The disk remains mounted. */
function canMount(): boolean {
  const folder = join(base, 'disk')
  mkdirSync(folder)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
