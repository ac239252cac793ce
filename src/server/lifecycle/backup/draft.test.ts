import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { ABANDONED_MS } from './draft.ts'
import { readArchive } from './read-archive.ts'
import { writeArchive } from './write-archive.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-draft-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const path = join(folder, 'all.tar.gz')
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
})

const bytes = Buffer.from('content')
const fill =
  (name: string) =>
  ({ add }: Parameters<Parameters<typeof writeArchive>[1]>[0]) =>
    add(name, bytes.length, [bytes])
async function names(): Promise<string[]> {
  const found: string[] = []
  for await (const { name, content } of readArchive(path)) {
    found.push(name)
    for await (const _ of content);
  }
  return found
}
const aGate = () => Promise.withResolvers<void>()
const gone = (error: unknown) => (error as Error).message

describe('writing an archive', () => {
  it('locks its name: a second backup is refused and leaves the first alone', async () => {
    const gate = aGate()
    const first = writeArchive(path, async (archive) => {
      await fill('first')(archive)
      await gate.promise
    })
    await expect.poll(() => existsSync(`${path}.part`)).toBe(true)
    const refused = await Promise.all(
      Array.from({ length: 3 }, () => writeArchive(path, fill('second'), { replaces: true }).catch(gone)),
    )
    for (const said of refused)
      expect(said).toMatch(/^Another backup writes \S+: wait for it, or choose another name\.[^\n]+$/)
    gate.resolve()
    await first
    expect([await names(), readdirSync(folder)]).toEqual([['first'], ['all.tar.gz']])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('does not lock other names', async () => {
    const other = join(folder, 'other.tar.gz')
    await Promise.all([writeArchive(path, fill('a')), writeArchive(other, fill('b'))])
    expect(readdirSync(folder).sort()).toEqual(['all.tar.gz', 'other.tar.gz'])
  })

  it('replaces an earlier archive only on request and when complete', async () => {
    await writeArchive(path, fill('earlier'))
    const before = readFileSync(path)
    await expect(writeArchive(path, fill('later'))).rejects.toThrow(
      /exists already: choose another name, or add --force/,
    )
    const broken = async () => {
      throw new Error('the database went away')
    }
    await expect(writeArchive(path, broken, { replaces: true })).rejects.toThrow('the database went away')
    expect([readFileSync(path).equals(before), readdirSync(folder)]).toEqual([true, ['all.tar.gz']])
    await writeArchive(path, fill('later'), { replaces: true })
    expect(await names()).toEqual(['later'])
  })

  it('never replaces a file that appeared meanwhile', async () => {
    const appears = async (archive: Parameters<ReturnType<typeof fill>>[0]) => {
      await fill('mine')(archive)
      writeFileSync(path, 'somebody else’s')
    }
    await expect(writeArchive(path, appears)).rejects.toThrow('exists already')
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['somebody else’s', ['all.tar.gz']])
  })

  it('leaves nothing when it is aborted', async () => {
    const stopping = new AbortController()
    const stopped = writeArchive(
      path,
      async (archive) => {
        await fill('half')(archive)
        stopping.abort(new Error('The backup was stopped.'))
        await fill('more')(archive)
      },
      { signal: stopping.signal },
    )
    await expect(stopped).rejects.toThrow('The backup was stopped.')
    expect(readdirSync(folder)).toEqual([])
  })

  it('replaces the draft of a killed process, but not of a live one', async () => {
    writeFileSync(`${path}.part`, 'half')
    await expect(writeArchive(path, fill('mine'))).rejects.toThrow('Another backup writes')
    const long = new Date(Date.now() - ABANDONED_MS - 1_000)
    utimesSync(`${path}.part`, long, long)
    const [won, ...lost] = (
      await Promise.allSettled([1, 2, 3].map(() => writeArchive(path, fill('mine'))))
    ).sort((a, b) => a.status.localeCompare(b.status))
    expect(won?.status).toBe('fulfilled')
    for (const one of lost) expect(one.status).toBe('rejected')
    expect([await names(), readdirSync(folder)]).toEqual([['mine'], ['all.tar.gz']])
  })

  it('neither writes nor removes anything after another process took over its draft', async () => {
    const overtaken = async (archive: Parameters<ReturnType<typeof fill>>[0]) => {
      await fill('mine')(archive)
      rmSync(`${path}.part`)
      writeFileSync(`${path}.part`, 'of another')
    }
    await expect(writeArchive(path, overtaken)).rejects.toThrow(/was removed while it was written/)
    expect(readdirSync(folder)).toEqual(['all.tar.gz.part'])
    expect(readFileSync(`${path}.part`, 'utf8')).toBe('of another')
  })

  it.each([
    ['a folder that is missing', join(folder, 'missing', 'a.tar.gz'), /cannot be written: ENOENT/],
    ['a folder in its place', folder, /is no file: choose another name/],
    ['a file system that takes none', '/proc/a.tar.gz', /cannot be written: E[A-Z]+/],
  ])('is refused in %s', async (_, where, sentence) => {
    const said = await writeArchive(where, fill('a')).catch(gone)
    expect(said).toMatch(/^[^\n]+$/)
    expect(said).toMatch(sentence)
  })
})
