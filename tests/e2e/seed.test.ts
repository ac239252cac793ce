import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signIn } from '../../scripts/seed/visitor.ts'
import type { ActiveBranch } from '../../src/shared/chat/messages/messages.ts'
import type { Session } from '../../src/shared/chat/sessions/sessions.ts'
import { type Product, startProduct } from '../support/product.ts'

let product: Product
beforeAll(async () => {
  product = await startProduct({ entry: 'src/server/main.ts' })
})
afterAll(() => product.stop())

/** Runs `npm run seed` while the server is running. */
function seed(...args: string[]) {
  const env = { PATH: process.env.PATH, ATRIUM_DATA_DIR: product.dataDir, ATRIUM_PUBLIC_URL: product.url }
  const child = spawn(process.execPath, ['scripts/seed.ts', ...args], { env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk))
  return new Promise<{ code: number | null; said: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, said: said.trim() })),
  )
}

it('creates a demo account with real conversations in both languages that can be continued', async () => {
  const seeded = await seed()
  expect(seeded).toMatchObject({ code: 0 })
  const [, address = '', username = '', password = ''] =
    /Sign in at (\S+) as (\w+) with the password ([\w-]+)/.exec(seeded.said) ?? []
  expect([address, username]).toEqual([product.url, 'demo'])
  const visitor = await signIn(address, username, password)

  const { items } = await visitor.call<{ items: Session[] }>('GET', '/sessions')
  expect(items.map(({ agent_status }) => agent_status).sort()).toEqual([
    ...Array(8).fill('completed'),
    ...Array(2).fill('paused'),
  ])
  const branches = await Promise.all(
    items.map(({ id }) => visitor.call<ActiveBranch>('GET', `/sessions/${id}/active-branch`)),
  )
  const blocks = branches.flatMap(({ active_branch }) => active_branch.flatMap((message) => message.blocks))
  const kinds = new Set(blocks.map(({ type }) => type))
  for (const kind of ['step', 'tool', 'checkpoint', 'input_required']) expect(kinds).toContain(kind)
  expect(branches.filter(({ branch_count }) => branch_count > 1)).toHaveLength(4)
  for (const answer of ['440.384615385', '440,384615385']) expect(JSON.stringify(branches)).toContain(answer)

  for (const waiting of items.filter(({ agent_status }) => agent_status === 'paused')) {
    const { checkpoint_name } = waiting.pending_input as { checkpoint_name: string }
    const body = { checkpoint_name, input: true, input_type: 'boolean' }
    await visitor.call('POST', `/sessions/${waiting.id}/provide-input`, body)
    await expect
      .poll(async () => (await visitor.call<Session>('GET', `/sessions/${waiting.id}`)).agent_status, {
        timeout: 60_000,
      })
      .toBe('completed')
  }

  expect(await seed()).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^This installation has accounts [^\n]+$/),
  })
  expect(await seed('--force')).toMatchObject({ code: 1, said: expect.stringMatching(/^Username [^\n]+$/) })
})
