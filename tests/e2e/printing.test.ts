import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeConversation } from '../../bench/branches/conversation.ts'
import { connect } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { accountAt } from '../support/account.ts'
import { type Journey, startJourney } from '../support/journey.ts'
import { forgetParsed, parseBytes } from '../support/parsed.ts'

const MESSAGES = 260
/** Messages loaded when a chat opens. */
const READ = 200

let journey: Journey
let token: string
let sessionId: string

beforeAll(async () => {
  journey = await startJourney()
  token = await journey.signUp('dora')
  const { id } = await accountAt(journey.url, token).call<{ id: string }>('GET', '/users/me')
  const connection = connect({ url: journey.env.DATABASE_URL! }, createLog('error'))
  sessionId = await storeConversation(connection.db, id, { trunk: MESSAGES, branches: 0, perBranch: 1 })
  await connection.close()
})
afterAll(async () => {
  await journey.close()
  await forgetParsed()
})

async function openChat(theme: 'light' | 'dark' = 'light', width = 1280): Promise<Page> {
  const page = await journey.open(`/chat/${sessionId}`, { token, theme, width })
  await page.locator('.transcript article').last().waitFor()
  return page
}

/** Returns the positions of the messages with a box, on screen or on paper. */
const shown = (page: Page) =>
  page.evaluate<number[]>(
    `[...document.querySelectorAll('.transcript article')].filter((row) => row.offsetHeight > 0).map((row) => Number(row.ariaPosInSet))`,
  )
const count = (from: number) => Array.from({ length: MESSAGES - from }, (_, at) => from + at + 1)

describe('printed chat', () => {
  it('contains every loaded message on white paper, and says how many are missing', async () => {
    const page = await openChat('dark')
    expect((await shown(page)).length).toBeLessThan(20)
    // The first screen is rendered before the other loaded messages.
    const height = () => page.evaluate<number>(`document.querySelector('.transcript').scrollHeight`)
    await expect.poll(height, { timeout: 20_000 }).toBeGreaterThan(READ * 100)
    const { text, pages } = await parseBytes('chat.pdf', await page.pdf({ format: 'A4' }))
    expect(pages.length).toBeGreaterThan(20)
    expect(text).toContain(`${MESSAGES - READ} earlier messages are not printed`)
    expect(text).not.toContain('New chat')
    expect(text).not.toContain('Enter sends')
    await page.emulateMedia({ media: 'print' })
    // The remaining messages arrive while the page is used.
    await expect
      .poll(async () => (await shown(page)).slice(-READ), { timeout: 20_000 })
      .toEqual(count(MESSAGES - READ))
    const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    expect(background).toMatch(/^(?:lab\(9|oklch\((?:0\.9|1))/)
    expect(await page.locator('nav, [data-composer]').filter({ visible: true }).count()).toBe(0)
    await page.emulateMedia({ media: 'screen' })
    await expect.poll(async () => (await shown(page)).length, { timeout: 10_000 }).toBeLessThan(20)
    expect(journey.errors).toEqual([])
    await page.context().close()
  })

  it('is loaded to its beginning when Ctrl P is pressed', async () => {
    const page = await openChat()
    await page.evaluate(`window.print = () => {
      window.printed = document.querySelectorAll('.transcript .print\\\\:block article').length
    }`)
    await page.keyboard.press('Control+p')
    await expect
      .poll(() => page.evaluate<number>('window.printed ?? 0'), { timeout: 20_000 })
      .toBe(MESSAGES - 2)
    await page.context().close()
  })
})

describe('Ctrl F in a partly loaded chat', () => {
  it("opens the chat search, which finds a message that was not loaded, and the browser's search the second time", async () => {
    const page = await openChat()
    await page.keyboard.press('Control+f')
    const field = page.locator('search input')
    await field.waitFor()
    expect(await page.evaluate<boolean>(`document.activeElement.matches('search input')`)).toBe(true)
    const isLeft = await page.evaluate<boolean>(
      `window.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, cancelable: true }))`,
    )
    expect(isLeft).toBe(true)
    await page.context().close()
  })
})
