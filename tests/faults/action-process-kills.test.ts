import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Account, signUp } from '../support/account.ts'
import { type MailboxWorld, startMailboxWorld } from '../support/actions/mailbox-world.ts'
import { aDataFolder } from '../support/cleanups.ts'
import { type Product, startProduct } from '../support/product.ts'

let world: MailboxWorld
let product: Product
let account: Account
const dataDir = aDataFolder('action-kills')
const start = async () => {
  const allowed = [world.imapPort, world.smtpPort].map((port) => `http://127.0.0.1:${port}`)
  product = await startProduct({ dataDir, env: { ATRIUM_TOOLS_PRIVATE: allowed.join() } })
}
/** Calls the product that runs now. */
// biome-ignore lint/suspicious/noExplicitAny: the test reads answers of several routes
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await fetch(`${product.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  expect(answer.ok, `${method} ${path} ${answer.status}`).toBe(true)
  return answer.json()
}

beforeAll(async () => {
  world = await startMailboxWorld()
  await start()
  account = await signUp(product.url)
  await call('PUT', '/personal-accounts/imap', world.settings('ada@example.com'))
  await call('PUT', '/tools/send_mail/policy', { policy: 'auto' })
})
afterAll(async () => {
  await product.stop()
  await world.close()
  rmSync(dataDir, { recursive: true, force: true })
})

it.each(['smtp EHLO', 'smtp MAIL', 'mail', 'accepted', 'imap APPEND', 'imap LOGIN'])(
  'kill -9 at “%s”: a mail is sent once [AC-02]',
  { timeout: 120_000 },
  async (point) => {
    const before = world.delivered.length
    let hit = 0
    // The answer waits until the process is dead.
    let die = () => {}
    const reached = new Promise<void>((resolve) => {
      die = resolve
    })
    world.cuts = async (at) => {
      if (at !== point || hit > 0) return false
      hit += 1
      die()
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      return true
    }
    const inputs = { to: ['bob@example.org'], subject: point, body: 'Hello' }
    const { tool_execution_id: id } = await call('POST', '/tools/send_mail/execute', { inputs })
    await reached
    await product.kill()
    await start()
    const read = async () => {
      const { request, finished_at } = await call('GET', `/tool-executions/${id}`)
      // The person looks at the mailbox of the receiver before they answer.
      const input = world.delivered.length === before ? 'retry' : 'skip'
      if (request) await call('POST', `/tool-executions/${id}/provide-input`, { input, input_type: 'text' })
      return finished_at
    }
    await expect.poll(read, { timeout: 60_000, interval: 200 }).toBeTruthy()
    expect([hit, world.delivered.length - before]).toEqual([1, 1])
  },
)
