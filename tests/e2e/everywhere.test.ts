import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { type Account, accountAt } from '../support/account.ts'
import { openContext } from '../support/browser.ts'
import { databaseUrl } from '../support/database-url.ts'
import { type Journey, startJourney } from '../support/journey.ts'
import { calls } from '../support/model-server.ts'
import { type Product, startProduct } from '../support/product.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-everywhere-'))
let database: Awaited<ReturnType<typeof startPostgres>>
let journey: Journey
let other: Product
let account: Account
/** Two tabs of one browser, and one of another browser on another process. */
const pages: Record<string, Page> = {}

beforeAll(async () => {
  database = await startPostgres({ dataDir: folder, log: createLog('error') })
  const env = { DATABASE_URL: databaseUrl(database.address), ATRIUM_SECRET_KEY: 'a key of both processes' }
  journey = await startJourney({ env })
  other = await startProduct({ env: journey.env })
  const token = await journey.signUp('ada')
  account = accountAt(journey.url, token)
  await account.call('POST', '/sessions', { model_name: 'house/large' })
  const first = await journey.open('/tools', { token })
  pages['a tab'] = first
  pages['a tab beside it'] = await first.context().newPage()
  const context = await openContext(journey.browser, { url: other.url, token })
  pages['another process'] = await context.newPage()
  await pages['a tab beside it'].goto('/tools')
  await pages['another process'].goto('/tools')
  for (const page of Object.values(pages)) await page.getByRole('button', { name: 'Inbox' }).waitFor()
})
afterAll(async () => {
  await other?.stop()
  await journey?.close()
  await database?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Returns the delay until each page showed a change, in milliseconds. */
async function shownAfter(look: (page: Page) => Promise<unknown>): Promise<Record<string, number>> {
  const started = performance.now()
  const times = Object.entries(pages).map(async ([name, page]) => {
    await look(page)
    return [name, Math.round(performance.now() - started)]
  })
  return Object.fromEntries(await Promise.all(times))
}

/** Polling every ten seconds would take longer than this. */
const SOON_MS = 3_000

describe('live change', () => {
  it("of a chat's name or the inbox appears immediately in every tab on every process", async () => {
    const { items } = await account.call<{ items: { id: string }[] }>('GET', '/sessions')
    const id = items[0]?.id ?? ''
    for (const title of ['Minutes of Monday', 'Minutes of Tuesday', 'Minutes of Wednesday']) {
      await account.call('PUT', `/sessions/${id}/rename`, { title })
      const times = await shownAfter((page) =>
        page.getByRole('navigation').getByText(title).first().waitFor(),
      )
      // biome-ignore lint/suspicious/noConsole: what was measured
      console.log(`everywhere: a name appears after ${JSON.stringify(times)} ms`)
      for (const ms of Object.values(times)) expect(ms).toBeLessThan(SOON_MS)
    }
    await account.call('PUT', '/tools/calculator/policy', { policy: 'ask' })
    journey.model.always([calls('calculator', { a: 21, b: 2, operation: 'multiply' })])
    const question = { chat_session_id: id, content: 'What is 21 * 2?', agent_type: 'multi_turn' }
    await account.call('POST', '/messages', question)
    await pages['a tab']?.getByRole('button', { name: 'Inbox, 1 request waits for you' }).waitFor()
    const badge = await shownAfter((page) =>
      page.getByRole('button', { name: 'Inbox, 1 request waits for you' }).waitFor(),
    )
    // biome-ignore lint/suspicious/noConsole: what was measured
    console.log(`everywhere: a request is counted at most ${JSON.stringify(badge)} ms after the first tab`)
    for (const ms of Object.values(badge)) expect(ms).toBeLessThan(SOON_MS)
  })
})
