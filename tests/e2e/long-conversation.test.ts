import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeConversation } from '../../bench/branches/conversation.ts'
import { connect, migrate, startPostgres } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { accountAt } from '../support/account.ts'
import { databaseUrl } from '../support/database-url.ts'
import { type Journey, startJourney } from '../support/journey.ts'

type Written = { id: string; parent_id: string | null; text: string }

const cleanups: (() => unknown)[] = []
let journey: Journey
let token: string
let sessionId: string
let messages: Written[]

/** Stores 10,000 messages, of which 7,500 are on the active branch. */
beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-long-'))
  cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const postgres = await startPostgres({ dataDir, log: createLog('error') })
  cleanups.push(() => postgres.stop())
  const connection = connect(postgres.address, createLog('error'))
  cleanups.push(() => connection.close())
  await migrate(connection.pool)
  journey = await startJourney({ env: { DATABASE_URL: databaseUrl(postgres.address) } })
  cleanups.push(() => journey.close())
  token = await journey.signUp('dora')
  const account = accountAt(journey.url, token)
  const { id } = await account.call<{ id: string }>('GET', '/users/me')
  sessionId = await storeConversation(connection.db, id, { trunk: 7500, branches: 500, perBranch: 5 })
  messages = (await account.call<{ messages: Written[] }>('GET', `/sessions/${sessionId}/tree`)).messages
})
afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean()
})

const row = (page: Page, id: string) => page.locator(`[data-message="${id}"]`)

/** Returns the distance of a message from the top of the transcript, once it has the focus. */
async function topOf(page: Page, id: string): Promise<number> {
  await page.locator(`[data-message="${id}"]:focus`).waitFor()
  return page.evaluate<number>(`(() => {
    const row = document.querySelector('[data-message="${id}"]').getBoundingClientRect()
    return row.top - document.querySelector('.transcript').getBoundingClientRect().top
  })()`)
}

/** Returns the positions of the rendered messages. */
const places = (page: Page) =>
  page.evaluate<number[]>(
    `Array.from(document.querySelectorAll('article'), (row) => Number(row.ariaPosInSet))`,
  )

/** Runs in the page: records the messages rendered before the first frame with one, and the files requested until then. */
const watchOpening = `window.opening = { places: [], files: [] }
const watching = new MutationObserver(() => {
  const rows = [...document.querySelectorAll('.transcript article')]
  if (rows.length === 0) return
  watching.disconnect()
  opening.places = rows.map((row) => Number(row.ariaPosInSet))
  opening.files = performance.getEntriesByType('resource').map(({ name }) => name)
})
watching.observe(document, { childList: true, subtree: true })`

describe('conversation of 10,000 messages', () => {
  it('opens at its end without rendering or requesting anything else first', async () => {
    const page = await journey.open('/documents', { token })
    await page.addInitScript(watchOpening)
    await page.goto(`/chat/${sessionId}`)
    await page.locator('.transcript article').last().waitFor()
    const opening = await page.evaluate<{ places: number[]; files: string[] }>('opening')
    // The last turn of two messages, and at most a screen before it.
    expect(Math.min(...opening.places)).toBeGreaterThan(7485)
    expect(opening.places.length).toBeLessThan(16)
    expect(opening.files.filter((name) => /highlight-worker|input-requests|user-events/.test(name))).toEqual(
      [],
    )
    await page.context().close()
  })

  it('opens at a message that was never loaded, and can be read in both directions [BR-06, BR-01]', async () => {
    const { id } = messages[3001]!
    const page = await journey.open(`/chat/${sessionId}?message=${id}`, { token })
    expect(Math.abs(await topOf(page, id))).toBeLessThan(2)
    expect(await row(page, id).getAttribute('aria-posinset')).toBe('3002')
    expect(new URL(page.url()).search).toBe('')
    const seen = new Set<number>()
    // The first page covers a hundred messages in each direction; two hundred more are loaded while scrolling.
    for (let at = 3002; at < 3250; at = Math.max(...[...seen].filter((place) => place < 5000))) {
      await page.mouse.move(600, 400)
      await page.mouse.wheel(0, 600)
      await page.waitForTimeout(30)
      for (const place of await places(page)) seen.add(place)
    }
    const read = [...seen].filter((place) => place < 3250 && place > 3001)
    expect(read).toHaveLength(248)
    expect(journey.errors).toEqual([])
    await page.context().close()
  })

  it('opens a distant message of another branch with its ancestors [BR-06]', async () => {
    const { id } = messages[7500 + 250 * 5 + 1]!
    const page = await journey.open(`/chat/${sessionId}?message=${id}`, { token })
    expect(await topOf(page, id)).toBeGreaterThanOrEqual(0)
    expect(await page.getByRole('button', { name: /^Branch \d+ of 501$/ }).count()).toBe(1)
    expect(journey.errors).toEqual([])
    await page.context().close()
  })
})
