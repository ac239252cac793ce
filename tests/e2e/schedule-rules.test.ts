import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import type { Slot } from '../../src/shared/chat/schedules/slots.ts'
import { type Account, accountAt } from '../support/account.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { says } from '../support/model-server.ts'
import { setScheduleClock } from '../support/schedule-clock.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 60_000 }
/** A Monday. */
const START = '2027-01-04T06:00:00Z'

let journey: Journey
let connection: ReturnType<typeof connect>
beforeAll(async () => {
  journey = await startJourney()
  connection = connect({ url: journey.env.DATABASE_URL! }, createLog('error'))
})
afterAll(async () => {
  await connection.close()
  await journey.close()
})

const t = (key: string) => words('en', 'schedules', key)
const moveTo = (time: string) => setScheduleClock({ deps: { db: connection.db } } as never, time)

type Case = {
  pattern: string
  zone: string
  fill: (page: Page) => Promise<unknown>
  sentence: string
  /** The next runs, at most five. */
  runs: string[]
  /** Day and time of the first run as the form shows them. */
  shown: string
}

const count = (value: string) => (page: Page) =>
  page.getByRole('spinbutton', { name: t('rule.count') }).fill(value)
const toggle = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()

const cases: Case[] = [
  {
    ...{ pattern: 'once', zone: 'Europe/Paris', sentence: 'Once on 1 February 2027 at 08:00, Europe/Paris' },
    fill: (page) => page.getByLabel(t('rule.date'), { exact: true }).fill('2027-02-01'),
    ...{ runs: ['2027-02-01T07:00'], shown: 'Mon, 1 February 2027 08:00' },
  },
  {
    ...{ pattern: 'minutes', zone: 'Europe/Paris', sentence: 'Every 20 minutes, Europe/Paris' },
    fill: count('20'),
    runs: [
      '2027-01-04T06:20',
      '2027-01-04T06:40',
      '2027-01-04T07:00',
      '2027-01-04T07:20',
      '2027-01-04T07:40',
    ],
    shown: 'Mon, 4 January 2027 07:20',
  },
  {
    ...{ pattern: 'hours', zone: 'Asia/Tokyo', sentence: 'Every 2 hours, Asia/Tokyo' },
    fill: count('2'),
    runs: [
      '2027-01-04T08:00',
      '2027-01-04T10:00',
      '2027-01-04T12:00',
      '2027-01-04T14:00',
      '2027-01-04T16:00',
    ],
    shown: 'Mon, 4 January 2027 17:00',
  },
  {
    ...{ pattern: 'days', zone: 'Europe/Paris', sentence: 'Every 3 days at 08:00, Europe/Paris' },
    fill: count('3'),
    runs: [
      '2027-01-04T07:00',
      '2027-01-07T07:00',
      '2027-01-10T07:00',
      '2027-01-13T07:00',
      '2027-01-16T07:00',
    ],
    shown: 'Mon, 4 January 2027 08:00',
  },
  {
    ...{
      pattern: 'weekdays',
      zone: 'Asia/Tokyo',
      sentence: 'Every Monday and Wednesday at 08:00, Asia/Tokyo',
    },
    fill: toggle('Wednesday'),
    runs: [
      '2027-01-05T23:00',
      '2027-01-10T23:00',
      '2027-01-12T23:00',
      '2027-01-17T23:00',
      '2027-01-19T23:00',
    ],
    shown: 'Wed, 6 January 2027 08:00',
  },
  {
    ...{ pattern: 'month_days', zone: 'America/New_York' },
    sentence: 'Every month on day 1 and the last day at 08:00, America/New_York',
    fill: toggle(t('rule.last_day')),
    runs: [
      '2027-01-31T13:00',
      '2027-02-01T13:00',
      '2027-02-28T13:00',
      '2027-03-01T13:00',
      '2027-03-31T12:00',
    ],
    shown: 'Sun, 31 January 2027 08:00',
  },
]

/** Makes a schedule in the form and returns its id. */
async function aSchedule(page: Page, { pattern, zone, fill, sentence, runs, shown }: Case): Promise<string> {
  await page.goto(`${journey.url}/schedules/create`)
  await page.getByRole('textbox', { name: t('field.name') }).fill(`Report ${pattern}`)
  await page.getByRole('textbox', { name: t('field.text') }).fill(`Report of the rule ${pattern}`)
  await page.getByRole('combobox', { name: t('field.assistant') }).selectOption({ label: 'Buyer' })
  await page.getByRole('combobox', { name: t('rule.pattern') }).selectOption(pattern)
  await page.getByRole('combobox', { name: t('rule.zone') }).selectOption(zone)
  await fill(page)
  const next = page.getByRole('complementary', { name: t('next_runs') })
  await next.getByText(sentence, { exact: true }).waitFor(WAIT)
  const rows = await next.getByRole('listitem').allInnerTexts()
  expect(rows).toHaveLength(runs.length)
  expect(rows[0]?.replace(/\s+/g, ' ')).toBe(shown)
  await page.getByRole('button', { name: t('create'), exact: true }).click()
  await page.waitForURL(/\/schedules\/[0-9a-f-]{36}$/, WAIT)
  return page.url().split('/').at(-1)!
}

it('runs a prompt with an assistant once, every n minutes, hours or days, on weekdays and on days of the month, in a time zone, from a form that reads as a sentence and shows the next five runs [SD-01]', {
  timeout: 400_000,
}, async () => {
  const token = await journey.signUp('sol')
  const account = accountAt(journey.url, token, 'sol')
  await account.call('POST', '/assistants', { name: 'Buyer', system_prompt: 'Speak as the buyer of Servia.' })
  const page = await journey.open('/schedules', { token, width: 1280, height: 900 })
  for (const one of cases) {
    await moveTo(START)
    const id = await aSchedule(page, one)
    const { next_runs } = await account.call<{ next_runs: string[] }>('GET', `/schedules/${id}`)
    expect(next_runs).toEqual(one.runs.map((time) => `${time}:00.000Z`))
    for (const [index, due] of one.runs.slice(0, 2).entries()) {
      journey.model.reply([says(`Reply ${one.pattern} ${index}`)])
      await moveTo(`${due}:01Z`)
      await endsNextRun(account, id, index + 1)
      const sent = JSON.stringify(journey.model.requests.at(-1)?.messages)
      expect(sent).toContain('Speak as the buyer of Servia.')
      expect(sent).toContain(`Report of the rule ${one.pattern}`)
    }
    const done = await completed(account, id)
    expect(done.map(({ due_at, result }) => ({ due_at, result }))).toEqual(
      one.runs.slice(0, 2).map((due, index) => ({
        ...{ due_at: `${due}:00.000Z`, result: `Reply ${one.pattern} ${index}` },
      })),
    )
    await account.call('DELETE', `/schedules/${id}`)
  }
  expect(journey.errors).toEqual([])
})

/** Past runs, the oldest first. */
async function completed(account: Account, id: string): Promise<Slot[]> {
  const { items } = await account.call<{ items: Slot[] }>('GET', `/schedules/${id}/slots`)
  return items.filter(({ state }) => state !== 'planned').reverse()
}

/** Starts the minutely work until a schedule has this many completed runs. */
async function endsNextRun(account: Account, id: string, wanted: number): Promise<void> {
  const states = async () => (await completed(account, id)).map(({ state }) => state)
  await requestWork(account)
  await expect.poll(states, WAIT).toEqual(Array(wanted).fill('completed'))
}

/** Running a reminder makes the server check all schedules immediately. */
async function requestWork(account: Account): Promise<void> {
  const rule = { kind: 'days', count: 1000, time: '00:00' }
  const body = { kind: 'reminder', name: 'Look', text: 'Look', rule, time_zone: 'UTC' }
  const { id } = await account.call<{ id: string }>('POST', '/schedules', body)
  await account.call('POST', `/schedules/${id}/runs`, { client_id: crypto.randomUUID() })
  await account.call('PUT', `/schedules/${id}/state`, { state: 'paused' })
}
