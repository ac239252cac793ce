import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { accountAt, signUp } from '#tests/account.ts'
import { startProduct } from '#tests/product.ts'

/** Whole servers are started here: a busy machine takes its time. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const folder = mkdtempSync(join(tmpdir(), 'atrium-commands-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command on an installation with a database of its own. */
function run(command: 'backup' | 'restore', dataDir: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, ATRIUM_DATA_DIR: dataDir, INIT_CWD: folder }
  const child = spawn(process.execPath, [`scripts/${command}.ts`, ...args], { env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk))
  return new Promise<{ code: number | null; said: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, said: said.trim() })),
  )
}

it('an installation is backed up while it runs and while it stands, and goes on elsewhere', async () => {
  const [home, elsewhere] = [join(folder, 'home'), join(folder, 'elsewhere')]
  const product = await startProduct({ dataDir: home, entry: 'src/server/main.ts' })
  const { token, call } = await signUp(product.url)
  const session = await call<{ id: string }>('POST', '/sessions', {})
  const running = await run('backup', home, 'running.tar.gz')
  expect(running).toMatchObject({ code: 0, said: expect.stringContaining('running.tar.gz holds ') })
  const refused = {
    code: 1,
    said: `Another Atrium server already uses the data folder ${home}: stop it first.`,
  }
  expect(await run('restore', home, 'running.tar.gz')).toEqual(refused)
  await product.stop()
  expect(await run('backup', home, 'standing.tar.gz')).toMatchObject({ code: 0 })
  expect((await run('restore', home, 'standing.tar.gz')).said).toMatch(
    /^The installation is not empty[^\n]+$/,
  )

  expect(await run('restore', elsewhere, 'running.tar.gz')).toMatchObject({ code: 0 })
  const restored = await startProduct({ dataDir: elsewhere, entry: 'src/server/main.ts' })
  const { items } = await accountAt(restored.url, token).call<{ items: object[] }>('GET', '/sessions')
  expect(items).toMatchObject([{ id: session.id }])
  await restored.stop()
})

it('a command that is not understood says how it is used', async () => {
  expect(await run('backup', join(folder, 'none'))).toEqual({
    code: 1,
    said: expect.stringMatching(/^Usage: npm run backup FILE/),
  })
  expect(await run('backup', join(folder, 'none'), 'a.tar.gz')).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^There is nothing to back up in [^\n]+$/),
  })
  expect(await run('restore', join(folder, 'none'), 'missing.tar.gz')).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^[^\n]+missing.tar.gz cannot be read: [^\n]+$/),
  })
})
