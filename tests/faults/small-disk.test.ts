import { type ChildProcess, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/account.ts'
import { type Ended, runCommand, startCommand } from '../support/command.ts'
import { startProduct } from '../support/product.ts'

const folder = mkdtempSync('/tmp/atrium-small-')
execFileSync('chmod', ['711', folder])
const disk = mkdtempSync(join(folder, 'disk-'))
const archive = join(folder, 'all.tar.gz')
const home = join(folder, 'home')

const mount = (megabytes: number) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', disk], {
    stdio: 'ignore',
  })
const grow = (megabytes: number) =>
  execFileSync('mount', ['-o', `remount,size=${megabytes}m`, disk], { stdio: 'ignore' })
const unmount = () => execFileSync('umount', ['-l', disk], { stdio: 'ignore' })

const hasDisk = (() => {
  try {
    mount(1)
    unmount()
    return true
  } catch {
    return false
  }
})()

const quiet = { PORT: '0', ATRIUM_LOG_LEVEL: 'silent' }

function expectOneLine({ code, said }: Ended, sentence: RegExp) {
  expect(said).toMatch(/^[^\n]+$/)
  expect(said).toMatch(sentence)
  expect(said).not.toMatch(/node:internal|\.ts:\d/)
  expect(code).toBe(1)
}

const full = /room|is full|No space left/

describe.runIf(hasDisk)('small disk', { timeout: 600_000 }, () => {
  beforeAll(async () => {
    const product = await startProduct({ dataDir: home, entry: 'src/server/main.ts' })
    const { token } = await signUp(product.url)
    const form = new FormData()
    for (let n = 0; n < 4; n += 1)
      form.append('file', new Blob([randomBytes(1 << 20).toString('hex')]), `${n}.txt`)
    await fetch(`${product.url}/api/v1/documents/upload`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form },
    })
    await product.stop()
    expect(await runCommand(['scripts/backup.ts', archive], { ATRIUM_DATA_DIR: home })).toMatchObject({
      code: 0,
    })
  }, 300_000)
  afterEach(() => {
    try {
      unmount()
    } catch {
      // It was not mounted.
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each([1, 8, 24, 40, 52, 64, 80])(
    'of %i MB ends a first start with one line, and the next start is clean',
    async (megabytes) => {
      mount(megabytes)
      const { process, ended } = startCommand(['src/server/main.ts'], { ATRIUM_DATA_DIR: disk, ...quiet })
      const first = await Promise.race([ended, isReady(process)])
      if (first === 'ready') {
        process.kill('SIGTERM')
        await ended
        return
      }
      expectOneLine(first, full)
      grow(512)
      const product = await startProduct({ dataDir: disk, entry: 'src/server/main.ts' })
      await signUp(product.url)
      await product.stop()
    },
  )

  it('ends a backup with one line and leaves no files', async () => {
    mount(1)
    const ended = await runCommand(['scripts/backup.ts', join(disk, 'all.tar.gz')], { ATRIUM_DATA_DIR: home })
    if (ended.code === 0) throw new Error('the disk is large enough')
    expectOneLine(ended, full)
    expect(readdirSync(disk)).toEqual([])
  })

  it.each([10, 60, 70, 90])(
    'of %i MB ends a restore with one line, and a larger disk lets it be repeated',
    async (megabytes) => {
      mount(megabytes)
      const ended = await runCommand(['scripts/restore.ts', archive], { ATRIUM_DATA_DIR: disk })
      if (ended.code === 0) return
      expectOneLine(ended, full)
      expect(readdirSync(disk).filter((name) => name === 'postgres' || name === 'secret.key')).toEqual([])
      grow(512)
      expect(await runCommand(['scripts/restore.ts', archive], { ATRIUM_DATA_DIR: disk })).toMatchObject({
        code: 0,
      })
    },
  )
})

/** Resolves once a server prints its address. */
function isReady(child: ChildProcess): Promise<'ready'> {
  return new Promise((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('is ready at')) resolve('ready')
    })
  })
}
