import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { aGate } from '../support/chat.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { calls, type ModelRequest, type Move, says, waits } from '../support/model-server.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 45_000 }

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey.close())
beforeEach(() => journey.fresh())

const say = (key: string, language: 'en' | 'fr' = 'en') => words(language, 'streaming_blocks', key)
const field = (page: Page, language: 'en' | 'fr' = 'en') =>
  page.getByRole('textbox', { name: say('composer.label', language) })
const log = (page: Page) => page.getByRole('log')
const queue = (page: Page, language: 'en' | 'fr' = 'en') =>
  page.getByRole('region', { name: say('queue.label', language) })
const row = (page: Page, text: string) => queue(page).getByRole('listitem').filter({ hasText: text })
/** Contents of the queue, top to bottom. */
const queued = async (page: Page) => {
  const texts = await queue(page).locator('li [dir=auto]').allTextContents()
  return texts.map((text) => text.trim())
}

async function choose(page: Page, text: string, entry: string) {
  await row(page, text)
    .getByRole('button', { name: say('queue.more') })
    .click()
  await page.getByRole('menuitem', { name: entry }).click()
}

/** Answers by the newest question; the first reply works until its gate opens. */
function scriptedBy(gate: Promise<void>) {
  let isFirst = true
  return ({ messages }: ModelRequest): Move[] => {
    const question = String(messages.findLast(({ role }) => role === 'user')?.content)
    if (question.startsWith('Check') && isFirst) {
      isFirst = false
      const add = calls('calculator', { a: 21, b: 2, operation: 'multiply' })
      return [says('I read the Kessler contract and its two amendments. '), waits(gate), add]
    }
    if (question.includes('Thermalis')) return [says('The brief leaves Thermalis out.')]
    return [says(`Done: ${question.slice(0, 40)}`)]
  }
}

async function aWorkingChat(name: string, language: 'en' | 'fr' = 'en') {
  const token = await journey.signUp(name, language)
  const account = accountAt(journey.url, token, name)
  const { id } = await account.call<{ id: string }>('POST', '/sessions', {})
  const gate = aGate()
  journey.model.always(scriptedBy(gate.opened))
  const page = await journey.open(`/chat/${id}`, { token, language })
  await field(page, language).fill(
    'Check today’s market rates, then draft the negotiation brief for Kessler.',
  )
  await page.keyboard.press('Enter')
  await log(page).getByText('I read the Kessler contract').waitFor(WAIT)
  return { token, account, id, gate, page }
}

/** Takes a picture when a folder for pictures is given. */
async function shoot(page: Page, name: string) {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/steering-${name}.png` })
}

describe('messages during a reply', () => {
  it('wait in a queue that every browser can edit, reorder and withdraw', async () => {
    const { token, id, gate, page } = await aWorkingChat('quinn')
    const there = await journey.open(`/chat/${id}`, { token })
    for (const text of [
      'Translate the brief into French, formal',
      'Turn the figures into a table',
      'Thank Thomas',
    ]) {
      await field(page).fill(text)
      await page.getByRole('radio', { name: say('queue.ways.queue.name') }).waitFor(WAIT)
      await page.keyboard.press('Enter')
      await row(page, text).waitFor(WAIT)
    }
    await field(page).fill('Leave Thermalis out, it is below 500 k€')
    await shoot(page, 'queue-light-1280')
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])
    await expect.poll(() => queued(there), WAIT).toHaveLength(3)
    await choose(there, 'Thank Thomas', say('queue.up'))
    await expect.poll(async () => (await queued(page))[1], WAIT).toBe('Thank Thomas')
    await row(page, 'Thank Thomas')
      .getByRole('button', { name: say('queue.withdraw') })
      .click()
    await expect.poll(() => queued(there), WAIT).toHaveLength(2)
    await row(there, 'Turn the figures')
      .getByRole('button', { name: say('queue.edit') })
      .click()
    await there.getByRole('textbox', { name: say('queue.edit') }).fill('Turn the figures into a chart')
    await there.keyboard.press('Enter')
    await row(page, 'into a chart').waitFor(WAIT)
    await page.getByText(say('queue.ways.steer.name'), { exact: true }).click()
    await field(page).press('Enter')
    await row(page, 'Thermalis').waitFor(WAIT)
    gate.open()
    await log(page).getByText('The brief leaves Thermalis out.').waitFor(WAIT)
    await log(page).getByText('Done: Translate the brief').waitFor(WAIT)
    await log(page).getByText('Done: Turn the figures into a chart').waitFor(WAIT)
    await log(there).getByText('Done: Turn the figures into a chart').waitFor(WAIT)
    await expect.poll(() => queue(page).count(), WAIT).toBe(0)
    await log(page).getByText('Leave Thermalis out').scrollIntoViewIfNeeded()
    await shoot(page, 'read-light-1280')
    expect(journey.errors).toEqual([])
  })

  it('interrupt it on a phone, in French and in the dark', async () => {
    const { token, id, page } = await aWorkingChat('iris', 'fr')
    const phone = await journey.open(`/chat/${id}`, {
      token,
      width: 390,
      height: 800,
      language: 'fr',
      theme: 'dark',
    })
    await log(phone).getByText('I read the Kessler contract').waitFor(WAIT)
    await field(page, 'fr').fill('Later')
    await page.keyboard.press('Enter')
    await queue(page, 'fr').waitFor(WAIT)
    await field(phone, 'fr').fill('Use only the two price sheets.')
    await phone.getByText(say('queue.ways.interrupt.name', 'fr'), { exact: true }).click()
    await queue(phone, 'fr').waitFor(WAIT)
    await shoot(phone, 'interrupt-dark-390')
    await phone.getByRole('button', { name: say('composer.send', 'fr') }).click()
    await log(phone).getByText('Done: Use only the two price sheets.').waitFor(WAIT)
    await phone.getByText(say('stopped', 'fr')).waitFor(WAIT)
    await log(phone).getByText('Done: Later').waitFor(WAIT)
    expect(journey.errors).toEqual([])
  })

  it('wait for the person after Escape stopped it', async () => {
    const { page } = await aWorkingChat('stan')
    await field(page).fill('Later')
    await page.keyboard.press('Enter')
    await row(page, 'Later').waitFor(WAIT)
    await page.keyboard.press('Escape')
    await page.getByText(say('queue.held.stopped')).waitFor(WAIT)
    await shoot(page, 'held-light-1280')
    await row(page, 'Later')
      .getByRole('button', { name: say('queue.send_now') })
      .click()
    await log(page).getByText('Done: Later').waitFor(WAIT)
    expect(journey.errors).toEqual([])
  })
})

describe('a reply', () => {
  it('fills the window of the model, is summarized, and its text can be quoted', async () => {
    const token = await journey.signUp('gina')
    const account = accountAt(journey.url, token, 'gina')
    const { id } = await account.call<{ id: string }>('POST', '/sessions', {})
    journey.model.always(({ messages }) =>
      JSON.stringify(messages[0]).includes('memory of a conversation')
        ? [says('Kessler charges 14.90 € per m².')]
        : [says('Kessler’s price is 9 % above the market of this autumn.')],
    )
    const page = await journey.open(`/chat/${id}`, { token })
    await field(page).fill('What does Kessler charge?')
    await page.keyboard.press('Enter')
    await log(page).getByText('9 % above the market').waitFor(WAIT)
    const gauge = page.getByRole('button', { name: /window used/ })
    await gauge.click()
    await page.getByRole('button', { name: say('context.summarise') }).waitFor(WAIT)
    await shoot(page, 'context-light-1280')
    await page.getByRole('button', { name: say('context.summarise') }).click()
    await page.getByText(say('context.summarised')).click(WAIT)
    await log(page).getByText('Kessler charges 14.90 € per m².').waitFor(WAIT)
    await page.keyboard.press('Escape')
    await shoot(page, 'summary-light-1280')
    await log(page).getByText('9 % above the market').click({ clickCount: 3 })
    const bar = page.getByRole('toolbar', { name: say('selection.label') })
    await bar.waitFor(WAIT)
    await shoot(page, 'selection-light-1280')
    await bar.getByRole('button', { name: say('selection.quote') }).click()
    await expect.poll(() => field(page).inputValue(), WAIT).toContain('> Kessler’s price is 9 % above')
    expect(journey.errors).toEqual([])
  })
})

describe('a message to several models', () => {
  it('is answered side by side, and continues with the kept reply or a merged one [SB-01, SB-03]', async () => {
    const token = await journey.signUp('cora')
    const account = accountAt(journey.url, token, 'cora')
    const { id } = await account.call<{ id: string }>('POST', '/sessions', {})
    const gate = aGate()
    journey.model.always(({ model, messages }) => {
      const question = String(messages.findLast(({ role }) => role === 'user')?.content)
      if (question.startsWith('Merge')) return [says(`Merged by ${model}. The price is from large.`)]
      const text = `We would like to renew with you at 12.90 €, writes ${model}.`
      return model === 'small' ? [says(text), waits(gate.opened), says(' That is all.')] : [says(text)]
    })
    const page = await journey.open(`/chat/${id}`, { token })
    await page.getByRole('button', { name: /^Model/ }).click()
    await page.getByRole('button', { name: say('comparison.start') }).click()
    for (const name of ['large', 'small']) await page.getByRole('checkbox', { name }).check(WAIT)
    await page.getByRole('button', { name: say('comparison.done'), exact: true }).click()
    await field(page).fill('Draft the negotiation opening for Kessler: three sentences, firm, no threat.')
    await page.keyboard.press('Enter')
    const column = (name: string) => log(page).getByRole('article', { name, exact: true })
    await column('large').getByText('writes large').waitFor(WAIT)
    await column('small').getByText('writes small').waitFor(WAIT)
    await shoot(page, 'compare-light-1280')
    gate.open()
    await column('small')
      .getByRole('button', { name: say('comparison.keep') })
      .waitFor(WAIT)
    for (const name of ['large', 'small'])
      await column(name)
        .getByText(/\d s · 120 tokens · /)
        .waitFor(WAIT)
    await shoot(page, 'compared-light-1280')
    const phone = await journey.open(`/chat/${id}`, { token, width: 390, height: 800, theme: 'dark' })
    await log(phone).getByText('writes large').waitFor(WAIT)
    await phone.getByRole('button', { name: 'small', exact: true }).click()
    await log(phone).getByText('writes small').waitFor(WAIT)
    await shoot(phone, 'compared-dark-390')
    await column('small')
      .getByRole('button', { name: say('comparison.keep') })
      .click()
    await expect.poll(() => column('large').count(), WAIT).toBe(0)
    await log(page).getByText('writes small. That is all.').waitFor(WAIT)
    await phone.getByRole('button', { name: say('comparison.merge') }).click()
    await phone.getByRole('menuitem', { name: 'large' }).click()
    await log(phone).getByText('Merged by large.').waitFor(WAIT)
    const told = JSON.stringify(journey.model.requests.at(-1)?.messages)
    for (const part of ['writes large', 'writes small', 'from which model']) expect(told).toContain(part)
    expect(journey.errors).toEqual([])
  })
})
