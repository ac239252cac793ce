import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'
import { startReader } from './reader.ts'

afterEach(() => vi.unstubAllEnvs())

/** Returns the environment variables of the child process that reads documents. */
function environmentOfReader(): string[] | null {
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
      const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
      const isReader = readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('/parsers/reader/child.ts')
      if (parent !== String(process.pid) || !isReader) continue
      return readFileSync(`/proc/${id}/environ`, 'utf8').split('\0').filter(Boolean)
    } catch {
      // It has ended meanwhile.
    }
  }
  return null
}

it.runIf(process.platform === 'linux')(
  'passes no setting of the server to a process that reads documents',
  async () => {
    const secrets = ['DATABASE_URL', 'ATRIUM_SECRET_KEY', 'OPENAI_API_KEY', 'SMTP_PASSWORD']
    for (const name of secrets) vi.stubEnv(name, 'secret')
    const reader = startReader()
    try {
      await expect.poll(environmentOfReader).not.toBeNull()
      const names = environmentOfReader()?.map((line) => line.split('=')[0]) ?? []
      const allowed = ['PATH', 'LANG', 'TMPDIR', 'NODE_COMPILE_CACHE', 'OMP_THREAD_LIMIT', 'NODE_CHANNEL_FD']
      expect(
        names.filter((name) => ![...allowed, 'NODE_CHANNEL_SERIALIZATION_MODE'].includes(name ?? '')),
      ).toEqual([])
      expect(names).toContain('PATH')
    } finally {
      reader.kill()
    }
  },
)
