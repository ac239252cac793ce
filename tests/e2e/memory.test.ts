import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { accountAt } from '../support/account.ts'
import { type Journey, PASSWORD, startJourney, words } from '../support/journey.ts'
import { type ModelRequest, says } from '../support/model-server.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 30_000 }

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey.close())
beforeEach(() => journey.fresh())

const t = (key: string, values = {}, language: 'en' | 'fr' = 'en') => words(language, 'memory', key, values)
const isForBelief = (request: ModelRequest) =>
  JSON.stringify(request.response_format ?? '').includes('belief')

async function anAccount(name: string) {
  const token = await journey.signUp(name)
  const account = accountAt(journey.url, token, name)
  await account.call('PUT', '/users/me/preferences', {
    preferences: { working_memory: true, onboarding: { welcome: { completed: true } } },
  })
  return { token, account }
}

/** Makes the model propose a fact after each reply. */
function proposes(text: string, replaces = '') {
  journey.model.always((request) => [
    says(
      isForBelief(request)
        ? JSON.stringify({ goals: [], facts: [], open_questions: [], remember: [{ text, replaces }] })
        : 'For eight sites the mean falls to 12.31 EUR per square metre.',
    ),
  ])
}

const aChat = async (account: ReturnType<typeof accountAt>) =>
  (await account.call<{ id: string }>('POST', '/sessions', { model_name: 'house/large' })).id

async function send(page: Page, text: string) {
  const box = page.getByRole('textbox', { name: /message/i }).last()
  await box.fill(text)
  await box.press('Enter')
}

const shoot = (page: Page, name: string) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/memory-${name}.png` }) : undefined

describe('memory in the browser', () => {
  it('asks about a proposal under the reply, and shows what the next answer used [ME-04]', {
    timeout: 180_000,
  }, async () => {
    const { token, account } = await anAccount('claire')
    await account.call('POST', '/facts', { text: 'We are nine sites' })
    await account.call('POST', '/facts', { text: 'My aunt likes pears' })
    proposes('We are eight sites')
    const id = await aChat(account)
    const page = await journey.open(`/chat/${id}`, { token })
    await send(page, 'Since Marseille left, we are eight sites. Redo the price per square metre.')
    const card = page.getByRole('region', { name: t('proposal.title') })
    await card.waitFor(WAIT)
    await card.getByText('We are nine sites').waitFor()
    await shoot(page, 'proposal')
    await card.getByRole('button', { name: t('proposal.replace') }).click()
    await card.waitFor({ state: 'detached', ...WAIT })
    const next = await aChat(account)
    await page.goto(`/chat/${next}`)
    await send(page, 'How many sites are we?')
    const used = page.getByRole('button', { name: t('used.open_one', { count: '1' }) })
    await used.waitFor(WAIT)
    await used.click()
    const list = page.getByRole('list', { name: t('used.title') })
    await list.getByText('We are eight sites').waitFor()
    await shoot(page, 'used')
    const asked = journey.model.requests.find((one) =>
      JSON.stringify(one.messages).includes('How many sites'),
    )
    expect(JSON.stringify(asked?.messages)).toContain('We are eight sites')
    expect(JSON.stringify(asked?.messages)).not.toContain('pears')
    await list.getByRole('link', { name: t('source') }).click()
    await expect.poll(() => page.url(), WAIT).toContain(id)
    expect(journey.errors).toEqual([])
  })

  it.each([
    { width: 1280, height: 800, theme: 'light' as const },
    { width: 390, height: 844, theme: 'dark' as const },
    { width: 390, height: 844, theme: 'light' as const },
    { width: 1280, height: 800, theme: 'dark' as const },
  ])(
    'lists, searches, edits and deletes facts at %o',
    { timeout: 180_000 },
    async ({ width, height, theme }) => {
      const { token, account } = await anAccount('ines')
      for (const text of [
        'I prefer tables with totals, amounts in k€',
        'Answers to suppliers are in French, formal',
        'We are nine sites',
      ])
        await account.call('POST', '/facts', { text })
      const { id: project } = await account.call<{ id: string }>('POST', '/workspaces', {
        name: 'Facility contracts 2027',
      })
      await account.call('POST', '/facts', {
        text: 'Marseille was sold in March 2026',
        workspace_id: project,
      })
      const page = await journey.open('/memory', { token, width, height, theme })
      await page.getByText('Marseille was sold').waitFor(WAIT)
      await page.getByRole('switch', { name: t('side.account') }).waitFor(WAIT)
      await shoot(page, `page-${width}-${theme}`)
      await page.getByRole('button', { name: t('edit', { fact: 'We are nine sites' }) }).click()
      const field = page.getByRole('textbox', { name: t('fact') })
      await field.fill('We are eight sites')
      await shoot(page, `edit-${width}-${theme}`)
      await field.press('Enter')
      await page.getByText('We are eight sites', { exact: true }).waitFor(WAIT)
      await page.getByRole('searchbox', { name: t('search') }).fill('tables')
      await page.getByText('We are eight sites', { exact: true }).waitFor({ state: 'detached', ...WAIT })
      await page.getByRole('searchbox', { name: t('search') }).fill('')
      await page.getByRole('button', { name: t('delete', { fact: 'We are eight sites' }) }).click(WAIT)
      await shoot(page, `delete-${width}-${theme}`)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: words('en', 'common', 'actions.delete') })
        .click()
      await page.getByText('We are eight sites', { exact: true }).waitFor({ state: 'detached', ...WAIT })
      await page.getByRole('button', { name: t('add.open') }).click()
      await page.getByRole('textbox', { name: t('fact') }).fill('My password is hunter2')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('add.send') })
        .click()
      await page.getByText(/contains a password/).waitFor(WAIT)
      await shoot(page, `add-${width}-${theme}`)
      expect(journey.errors).toEqual([])
    },
  )

  it('lists, searches, edits, deletes and exports all facts, also in summaries and working memories [ME-06]', {
    timeout: 180_000,
  }, async () => {
    const { token, account } = await anAccount('mina')
    const { id: project } = await account.call<{ id: string }>('POST', '/workspaces', { name: 'Contracts' })
    await account.call('POST', '/facts', { text: 'Marseille was sold in March', workspace_id: project })
    for (const text of ['I prefer tables', 'We are nine sites'])
      await account.call('POST', '/facts', { text })
    const entry = (text: string) => ({ text, from: 'question' })
    const facts = [entry('The person has eight sites'), entry('The roof is new')]
    journey.model.always((request) => [
      says(
        isForBelief(request)
          ? JSON.stringify({ goals: [], facts, open_questions: [], remember: [] })
          : 'The person has eight sites. The roof is new.',
      ),
    ])
    const chatId = await aChat(account)
    const page = await journey.open(`/chat/${chatId}`, { token })
    await send(page, 'The roof is new.')
    const belief = async () =>
      (await account.call<{ facts: { text: string }[] }>('GET', `/sessions/${chatId}/belief`)).facts.map(
        ({ text }) => text,
      )
    await expect.poll(belief, WAIT).toHaveLength(2)
    await account.call('POST', `/sessions/${chatId}/summary`)

    await page.goto('/memory')
    const list = page.getByRole('main').getByRole('listitem')
    await expect.poll(() => list.filter({ hasText: /Marseille|tables|sites/ }).count(), WAIT).toBe(3)
    await page.getByRole('button', { name: t('edit', { fact: 'We are nine sites' }) }).click()
    const field = page.getByRole('textbox', { name: t('fact') })
    await field.fill('We are eight sites')
    await field.press('Enter')
    await page.getByText('We are eight sites', { exact: true }).waitFor(WAIT)
    const search = page.getByRole('searchbox', { name: t('search') })
    await search.fill('MARSEILLE')
    await page.getByText('We are eight sites', { exact: true }).waitFor({ state: 'detached', ...WAIT })
    await page.getByText('Marseille was sold in March').waitFor()
    await search.fill('')
    await page.getByText('We are eight sites', { exact: true }).waitFor(WAIT)

    const downloaded = page.waitForEvent('download', WAIT)
    await page.getByRole('button', { name: t('export') }).click()
    const exported = JSON.parse(readFileSync(await (await downloaded).path(), 'utf8'))
    expect(exported.facts.map(({ text }: { text: string }) => text).sort()).toEqual([
      'I prefer tables',
      'Marseille was sold in March',
      'We are eight sites',
    ])
    expect(exported.facts.find(({ text }: { text: string }) => /sites/.test(text)).history).toMatchObject([
      { text: 'We are nine sites' },
    ])

    await page.getByRole('button', { name: t('delete', { fact: 'We are eight sites' }) }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: words('en', 'common', 'actions.delete') })
      .click()
    await expect.poll(belief, WAIT).toEqual(['The roof is new'])
    await page.goto(`/chat/${chatId}`)
    await page.getByRole('log').getByText('The roof is new.').first().waitFor(WAIT)
    const { active_branch } = await account.call<{ active_branch: { metadata: object }[] }>(
      'GET',
      `/sessions/${chatId}/active-branch`,
    )
    expect(active_branch.at(-1)?.metadata).toMatchObject({ compaction: 'The roof is new.' })
    expect(journey.errors).toEqual([])
  })

  it('deletes what was learned in a chat with the chat when wanted, and all facts with the account [ME-11]', {
    timeout: 180_000,
  }, async () => {
    const { token, account } = await anAccount('lena')
    journey.model.always([says('Noted.')])
    const [first, second] = [await aChat(account), await aChat(account)]
    await account.call('POST', '/facts', { text: 'We are nine sites' })
    const texts = async () =>
      (await account.call<{ items: { text: string }[] }>('GET', '/facts')).items
        .map(({ text }) => text)
        .sort()
    const page = await journey.open(`/chat/${first}`, { token })
    await send(page, 'Remember that the office closes at six.')
    await page.getByRole('log').getByText('Noted.').waitFor(WAIT)
    await page.goto(`/chat/${second}`)
    await send(page, 'Remember that I prefer tables.')
    await page.getByRole('log').getByText('Noted.').waitFor(WAIT)
    await expect
      .poll(texts, WAIT)
      .toEqual(['I prefer tables.', 'The office closes at six.', 'We are nine sites'])
    /** Deletes a chat, with its facts or without them. */
    const remove = async (id: string, isForgetting: boolean) => {
      await page.locator(`[data-session="${id}"]`).getByRole('link').click({ button: 'right' })
      await page.getByRole('menuitem', { name: words('en', 'common', 'actions.delete') }).click()
      const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
      const offer = dialog.getByRole('checkbox', { name: t('forget_one') })
      await offer.waitFor(WAIT)
      expect(await offer.isChecked()).toBe(false)
      if (isForgetting) await offer.check()
      await shoot(page, 'forget')
      await dialog.getByRole('button', { name: words('en', 'common', 'actions.delete') }).click()
      await page.locator(`[data-session="${id}"]`).waitFor({ state: 'detached', ...WAIT })
    }
    await remove(first, true)
    await expect.poll(texts, WAIT).toEqual(['I prefer tables.', 'We are nine sites'])
    await remove(second, false)
    expect(await texts()).toEqual(['I prefer tables.', 'We are nine sites'])

    const connection = connect({ url: journey.env.DATABASE_URL! }, createLog('error'))
    try {
      const { id } = await account.call<{ id: string }>('GET', '/users/me')
      const stored = async () =>
        (await connection.db.selectFrom('facts').select('id').where('user_id', '=', id).execute()).length
      expect(await stored()).toBe(2)
      await account.call('POST', '/users/me/erasure', {
        ...{ email: `${account.username}@example.com`, current_password: PASSWORD },
      })
      await expect.poll(stored, WAIT).toBe(0)
    } finally {
      await connection.close()
    }
    expect(journey.errors).toEqual([])
  })

  it('switches memory off for a chat in its context panel', { timeout: 180_000 }, async () => {
    const { token, account } = await anAccount('nora')
    journey.model.always([says('Noted.')])
    await account.call('POST', '/facts', { text: 'We are nine sites' })
    const id = await aChat(account)
    const page = await journey.open(`/chat/${id}`, { token })
    await page.getByRole('button', { name: 'Context' }).first().click(WAIT)
    await page.getByRole('button', { name: /^Memory/ }).click(WAIT)
    await page.getByRole('switch', { name: t('here.chat') }).click(WAIT)
    await expect
      .poll(
        async () =>
          (await account.call<{ is_on: { chat: boolean } }>('GET', `/sessions/${id}/memory`)).is_on.chat,
        WAIT,
      )
      .toBe(false)
    await shoot(page, 'chat-off')
    await send(page, 'How many sites are we?')
    await page.getByRole('log').getByText('Noted.').waitFor(WAIT)
    const asked = journey.model.requests.find((one) =>
      JSON.stringify(one.messages).includes('How many sites'),
    )
    expect(JSON.stringify(asked?.messages)).not.toContain('nine sites')
    expect(journey.errors).toEqual([])
  })
})
