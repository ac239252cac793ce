import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../../../platform/config/config.ts'
import { firstPage } from '../../count-items.ts'
import folder from './folder-source.ts'

const root = mkdtempSync(join(tmpdir(), 'atrium-folder-'))
afterAll(() => rmSync(root, { recursive: true }))
const all = { folders: [], include: [], exclude: [] }

const opened = (signal = new AbortController().signal) =>
  folder.open({
    ...{
      settings: { path: root },
      config: parseConfig({ ATRIUM_CONNECTOR_FOLDERS: root }),
      maxBytes: 1000,
      signal,
    },
    outbound: { fetch: unused, open: unused },
    ...{ mirrors: false, account: null },
  })
const unused = () => {
  throw new Error('A folder needs no network.')
}

describe('a folder', () => {
  it('refuses a file that became a pipe, without waiting for a writer', async () => {
    execFileSync('mkfifo', [join(root, 'pipe.txt')])
    const source = await opened()
    const read = source.read({ id: 'pipe.txt', path: 'pipe.txt' }, AbortSignal.timeout(1000))
    const late = new Promise((resolve) => setTimeout(resolve, 3000, 'late'))
    const outcome = await Promise.race([read.catch((error) => error.reason), late])
    // A writer frees the thread that waits.
    if (outcome === 'late') writeFileSync(join(root, 'pipe.txt'), '')
    rmSync(join(root, 'pipe.txt'))
    expect(outcome).toBe('refused')
  })

  it('lists names that are not UTF-8 as unreadable, and everything else', async () => {
    const odd = (name: number[]) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name)])
    mkdirSync(odd([0x64, 0xff]))
    writeFileSync(odd([0x66, 0xfe, 0x2e, 0x74, 0x78, 0x74]), 'Odd.')
    writeFileSync(join(root, 'plain.txt'), 'Plain.')
    const source = await opened()
    const { items } = await firstPage(source, all, null)
    expect(items.map(({ id }) => id)).toEqual(['d\ufffd', 'f\ufffd.txt', 'plain.txt'])
    for (const id of ['d\ufffd', 'f\ufffd.txt'])
      await expect(source.read({ id, path: id }, AbortSignal.timeout(1000))).rejects.toMatchObject({
        reason: 'unreadable',
      })
  })

  it('stops listing when it is asked to', async () => {
    const stop = new AbortController()
    const source = await opened(stop.signal)
    stop.abort()
    await expect(firstPage(source, all, null)).rejects.toThrow('aborted')
  })
})
