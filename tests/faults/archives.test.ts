import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountAt, signUp } from '../support/account.ts'
import { runCommand, startCommand } from '../support/command.ts'
import { startProduct } from '../support/product.ts'
import { createRandom } from './random.ts'

const KILLS = Math.min(60, Number(process.env.FAULTS_COUNT ?? 10))
const seed = Number(process.env.FAULTS_SEED ?? 7)
const random = createRandom(seed)
const folder = mkdtempSync('/tmp/atrium-archives-')
execFileSync('chmod', ['711', folder])
const home = join(folder, 'home')
const archive = join(folder, 'all.tar.gz')
let token = ''
let session = ''

const backup = (path: string, more: string[] = [], prefix: string[] = []) =>
  runCommand(['scripts/backup.ts', path, ...more], { ATRIUM_DATA_DIR: home }, prefix)
const restore = (dataDir: string) =>
  startCommand(['scripts/restore.ts', archive], { ATRIUM_DATA_DIR: dataDir })
const start = (dataDir: string) =>
  startCommand(['src/server/main.ts'], { ATRIUM_DATA_DIR: dataDir, PORT: '0', ATRIUM_LOG_LEVEL: 'silent' })

beforeAll(async () => {
  const product = await startProduct({ dataDir: home, entry: 'src/server/main.ts' })
  const ada = await signUp(product.url)
  token = ada.token
  session = (await ada.call<{ id: string }>('POST', '/sessions', {})).id
  const form = new FormData()
  for (let n = 0; n < 20; n += 1) form.append('file', new Blob([`Heron ${n} `.repeat(20_000)]), `${n}.txt`)
  const headers = { authorization: `Bearer ${token}` }
  await fetch(`${product.url}/api/v1/documents/upload`, { method: 'POST', headers, body: form })
  await product.stop()
  expect(await backup(archive)).toMatchObject({ code: 0 })
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns whether the installation in a folder has everything that was backed up. */
async function hasEverything(dataDir: string): Promise<boolean> {
  const product = await startProduct({ dataDir, entry: 'src/server/main.ts' })
  try {
    const { items } = await accountAt(product.url, token).call<{ items: { id: string }[] }>(
      'GET',
      '/sessions',
    )
    const { total } = await accountAt(product.url, token).call<{ total: number }>('GET', '/documents')
    return items[0]?.id === session && total === 20
  } finally {
    await product.stop()
  }
}

describe('backup of a stopped installation', { timeout: 300_000 }, () => {
  it('succeeds twice concurrently under different names', async () => {
    const paths = ['one', 'two', 'three'].map((name) => join(folder, `${name}.tar.gz`))
    const ended = await Promise.all(paths.map((path) => backup(path)))
    expect(ended.map(({ code, said }) => (code === 0 ? 0 : said))).toEqual([0, 0, 0])
    for (const path of paths) expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('leaves one complete archive if several use one name, and one error line for each other', async () => {
    const path = join(folder, 'same.tar.gz')
    const ended = await Promise.all([backup(path), backup(path), backup(path)])
    expect(ended.filter(({ code }) => code === 0)).toHaveLength(1)
    for (const { code, said } of ended.filter(({ code }) => code !== 0)) {
      expect(said).toMatch(/^(Another backup writes|\S+ exists already)[^\n]+$/)
      expect(code).toBe(1)
    }
    const before = readFileSync(path)
    expect((await backup(path)).said).toMatch(/^\S+ exists already: [^\n]+$/)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(await backup(path, ['--force'])).toMatchObject({ code: 0 })
    expect(readFileSync(path).equals(before)).toBe(false)
    expect(readdirSync(folder).filter((name) => name.startsWith('same'))).toEqual(['same.tar.gz'])
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('ends at %s with one line and leaves no draft', async (signal) => {
    const path = join(folder, `${signal}.tar.gz`)
    const running = startCommand(['scripts/backup.ts', path], { ATRIUM_DATA_DIR: home })
    await expect.poll(() => existsSync(`${path}.part`), { timeout: 60_000, interval: 2 }).toBe(true)
    running.process.kill(signal)
    expect(await running.ended).toEqual({ code: 1, said: 'The backup was stopped.' })
    expect(readdirSync(folder).filter((name) => name.startsWith(signal))).toEqual([])
    expect(existsSync(join(home, 'postgres', 'postmaster.pid'))).toBe(false)
  })

  it('ends with one line if files may not grow', async () => {
    const path = join(folder, 'limited.tar.gz')
    const said = await backup(path, [], ['sh', '-c', 'ulimit -f 20; exec "$0" "$@"'])
    expect(said).toMatchObject({ code: 1, said: expect.stringMatching(/^[^\n]+$/) })
    expect(readdirSync(folder).filter((name) => name.startsWith('limited'))).toEqual([])
  })
})

describe('killed restore', { timeout: 900_000 }, () => {
  it('is detected as incomplete by the next start, which says what to do, and can be repeated', async () => {
    const target = join(folder, 'half')
    const running = restore(target)
    const hasFiles = () => existsSync(join(target, 'files', 'readings'))
    await expect.poll(hasFiles, { timeout: 60_000, interval: 1 }).toBe(true)
    running.process.kill('SIGKILL')
    expect((await running.ended).code).toBe(null)
    const half = {
      code: 1,
      said: 'A restore into this installation did not finish: run "npm run restore FILE" again before anything else.',
    }
    expect(await start(target).ended).toEqual(half)
    const probe = join(folder, 'probe.tar.gz')
    expect(await runCommand(['scripts/backup.ts', probe], { ATRIUM_DATA_DIR: target })).toEqual(half)
    expect(existsSync(probe)).toBe(false)
    expect(await restore(target).ended).toMatchObject({ code: 0 })
    expect(await hasEverything(target)).toBe(true)
  })

  it(`can be repeated at any moment (${KILLS} kills, seed ${seed})`, async () => {
    const begun = performance.now()
    expect(await restore(join(folder, 'timed')).ended).toMatchObject({ code: 0 })
    const whole = performance.now() - begun
    const target = join(folder, 'killed')
    let killed = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      const running = restore(target)
      await sleep(random() * whole)
      running.process.kill('SIGKILL')
      const { code, said } = await running.ended
      if (code === null) killed += 1
      // A restore killed after its commit is complete too.
      else expect(said).toMatch(/ are restored\.|^The (file store|installation) is not empty/)
      if (code !== null) {
        expect(await hasEverything(target)).toBe(true)
        rmSync(target, { recursive: true })
      }
    }
    const { code, said } = await restore(target).ended
    if (code !== 0) expect(said).toMatch(/^The (file store|installation) is not empty/)
    expect(await hasEverything(target)).toBe(true)
    console.log(`${killed} of ${KILLS} restores were killed; one takes ${Math.round(whole)} ms`)
  })

  it('removes its partial database on SIGINT and can be repeated', async () => {
    const target = join(folder, 'stopped')
    mkdirSync(target)
    const running = restore(target)
    await expect
      .poll(() => existsSync(join(target, 'postgres', 'postmaster.pid')), { timeout: 60_000, interval: 2 })
      .toBe(true)
    await sleep(700)
    running.process.kill('SIGINT')
    const { code, said } = await running.ended
    if (code === 0) return
    expect([code, said]).toEqual([1, 'The restore was stopped.'])
    expect(existsSync(join(target, 'postgres'))).toBe(false)
    expect(await restore(target).ended).toMatchObject({ code: 0 })
  })
})
