import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { accountAt, signUp } from '#tests/account.ts'
import { runCommand } from '#tests/command.ts'
import { startProduct } from '#tests/product.ts'

/** These tests start whole servers, which is slow on a loaded machine. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const folder = mkdtempSync(join(tmpdir(), 'atrium-commands-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command on an installation, with its own database unless its settings name another. */
const run = (command: string, dataDir: string, args: string[] = [], more: Record<string, string> = {}) =>
  runCommand([`scripts/${command}.ts`, ...args], { ATRIUM_DATA_DIR: dataDir, INIT_CWD: folder, ...more })

it('an installation can be backed up running or stopped, and restored elsewhere', async () => {
  const [home, elsewhere] = [join(folder, 'home'), join(folder, 'elsewhere')]
  const product = await startProduct({ dataDir: home, entry: 'src/server/main.ts' })
  const { token, call } = await signUp(product.url)
  const session = await call<{ id: string }>('POST', '/sessions', {})
  const running = await run('backup', home, ['running.tar.gz'])
  expect(running).toMatchObject({ code: 0, said: expect.stringContaining('running.tar.gz holds ') })
  const refused = {
    code: 1,
    said: `Another Atrium server already uses the data folder ${home}: stop it first.`,
  }
  expect(await run('restore', home, ['running.tar.gz'])).toEqual(refused)
  await product.stop()
  expect(await run('backup', home, ['standing.tar.gz'])).toMatchObject({ code: 0 })
  expect((await run('restore', home, ['standing.tar.gz'])).said).toMatch(
    /^The installation is not empty[^\n]+$/,
  )

  expect(await run('restore', elsewhere, ['running.tar.gz'])).toMatchObject({ code: 0 })
  const restored = await startProduct({ dataDir: elsewhere, entry: 'src/server/main.ts' })
  const { items } = await accountAt(restored.url, token).call<{ items: object[] }>('GET', '/sessions')
  expect(items).toMatchObject([{ id: session.id }])
  await restored.stop()
})

it('an invalid command prints its usage', async () => {
  expect(await run('backup', join(folder, 'none'))).toEqual({
    code: 1,
    said: expect.stringMatching(/^Usage: npm run backup FILE/),
  })
  expect(await run('backup', join(folder, 'none'), ['a.tar.gz'])).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^There is nothing to back up in [^\n]+$/),
  })
  expect(await run('restore', join(folder, 'none'), ['missing.tar.gz'])).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^[^\n]+missing.tar.gz cannot be read: [^\n]+$/),
  })
})

describe('a failing command exits with one line', () => {
  const nowhere = { DATABASE_URL: 'postgres://atrium:s3cret@localhost:1/atrium' }
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const fresh = () => mkdtempSync(join(folder, 'data-'))
  it.each<[string, string, string[], Record<string, string>, RegExp]>([
    ['let-in', fresh(), ['ada'], nowhere, /^DATABASE_URL is wrong: connect ECONNREFUSED/],
    ['seed', fresh(), [], nowhere, /^DATABASE_URL is wrong: connect ECONNREFUSED/],
    ['new-key', fresh(), [], nowhere, /^DATABASE_URL is wrong: connect ECONNREFUSED/],
    ['backup', fresh(), ['a.tar.gz'], nowhere, /^DATABASE_URL is wrong: connect ECONNREFUSED/],
    ['let-in', file, ['ada'], {}, /^ATRIUM_DATA_DIR is wrong: the folder \S+ cannot be used: ENOTDIR/],
    ['seed', '/proc/x', [], {}, /^ATRIUM_DATA_DIR is wrong: the folder \S+ cannot be used: ENOENT/],
    ['new-key', file, [], {}, /^ATRIUM_DATA_DIR is wrong: the folder \S+ cannot be used: ENOTDIR/],
    ['backup', fresh(), ['a.tar.gz'], { PORT: 'x' }, /^PORT is wrong/],
    ['restore', fresh(), ['a.tar.gz', 'b.tar.gz'], {}, /^Usage: npm run restore FILE$/],
    ['restore', fresh(), ['--force'], {}, /^Usage: npm run restore FILE$/],
    ['let-in', fresh(), [], {}, /^Say who: npm run let-in NAME/],
    ['client', fresh(), ['/proc/x'], {}, /^npm run client failed: ENOENT/],
    ['client', fresh(), ['out', 'nonsense'], {}, /^nonsense is no address/],
    ['client', fresh(), ['out', 'http://127.0.0.1:9'], {}, /^\S+ cannot be reached: /],
  ])('%s', async (command, dataDir, args, env, sentence) => {
    const { code, said } = await run(command, dataDir, args, env)
    expect(said).toMatch(/^[^\n]+$/)
    expect(said).toMatch(sentence)
    expect(said).not.toContain('s3cret')
    expect(code).toBe(1)
  })
})

it('a lost key stops every command and the start until it is restored or abandoned', async () => {
  const dataDir = join(folder, 'keyless')
  const product = await startProduct({ dataDir, entry: 'src/server/main.ts' })
  const ada = await signUp(product.url)
  const provider = {
    name: 'Lab',
    kind: 'compatible',
    base_url: 'http://127.0.0.1:9',
    api_key: 'sk-sealed-1234',
  }
  await ada.call('POST', '/model-connections', provider)
  const twice = { ATRIUM_SECRET_KEY: 'a key of somebody else', PORT: '0' }
  await product.stop()
  const key = readFileSync(join(dataDir, 'secret.key'), 'utf8')
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
  rmSync(join(dataDir, 'secret.key'))
  const start = (env: Record<string, string>) =>
    runCommand(['src/server/main.ts'], { ATRIUM_DATA_DIR: dataDir, PORT: '0', ...env })
  for (const ended of [await start({}), await run('let-in', dataDir, ['ada'])])
    expect(ended).toEqual({
      code: 1,
      said: expect.stringMatching(/^The key of this installation is missing: [^\n]+$/),
    })
  expect(await start(twice)).toEqual({
    ...{ code: 1, said: expect.stringMatching(/^ATRIUM_SECRET_KEY is not the key that [^\n]+$/) },
  })
  writeFileSync(join(dataDir, 'secret.key'), key)
  expect(await run('let-in', dataDir, ['ada'])).toMatchObject({ code: 0 })
  rmSync(join(dataDir, 'secret.key'))
  expect(await run('new-key', dataDir)).toMatchObject({ code: 0 })
  expect(await run('let-in', dataDir, ['ada'])).toMatchObject({ code: 0 })
})
