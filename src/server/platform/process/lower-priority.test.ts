import { execFileSync, spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { lowerSession } from './lower-priority.ts'

const module = new URL('./lower-priority.ts', import.meta.url)
const root = new URL('../../../../', import.meta.url).pathname
const canBeNobody = process.getuid?.() === 0 && existsSync('/usr/bin/setpriv')

/** Returns the niceness of an unprivileged process that starts at `from` and requests `wanted`. */
function nicenessAfter(from: number, wanted: number): number {
  const script = `import { readFileSync } from 'node:fs'
    import { stripTypeScriptTypes } from 'node:module'
    import { getPriority } from 'node:os'
    const code = stripTypeScriptTypes(readFileSync(0, 'utf8'))
    const { lowerPriority } = await import('data:text/javascript,' + encodeURIComponent(code))
    lowerPriority(${wanted})
    console.log(getPriority())`
  const user = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', '--']
  const node = [process.execPath, '--no-warnings', '--input-type=module', '-e', script]
  const said = execFileSync('nice', ['-n', String(from), ...user, ...node], {
    ...{ input: readFileSync(module), cwd: '/', encoding: 'utf8' },
  })
  return Number(said)
}

describe('lowerPriority', () => {
  it.runIf(canBeNobody)(
    'raises the niceness of an unprivileged process and leaves a higher one unchanged',
    () => {
      expect([nicenessAfter(0, 10), nicenessAfter(10, 10), nicenessAfter(15, 10)]).toEqual([10, 10, 15])
    },
  )

  it('is the only code that sets a priority', () => {
    const sources = globSync('{src,scripts}/**/*.{ts,tsx,py}', { cwd: root })
    const places = sources.filter((file) => /\bsetPriority\b/.test(readFileSync(root + file, 'utf8')))
    expect(places.filter((file) => !file.includes('lower-priority'))).toEqual([])
    expect(places.length).toBeGreaterThan(0)
  })
})

describe.runIf(existsSync('/proc/self/autogroup'))('lowerSession', () => {
  const groupOf = (pid: number) =>
    readFileSync(`/proc/${pid}/autogroup`, 'utf8')
      .replace(/.*nice /s, '')
      .trim()

  it('lowers the session a process leads, but never the session of this server', () => {
    const before = groupOf(process.pid)
    for (const detached of [true, false]) {
      const child = spawn('sleep', ['20'], { detached, stdio: 'ignore' })
      const pid = child.pid ?? 0
      lowerSession(7, pid)
      expect(groupOf(pid)).toBe(detached ? '7' : before)
      child.kill('SIGKILL')
    }
    expect(groupOf(process.pid)).toBe(before)
  })
})
