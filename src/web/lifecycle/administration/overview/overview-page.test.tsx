// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  Finding,
  findings,
  HealthName,
  type HealthPart,
  HealthState,
} from '#shared/lifecycle/health/health.ts'
import { type Attention, AttentionKind } from '#shared/lifecycle/overview/overview.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import en from '../../../../../locales/en/admin.json'
import overviewEn from '../../../../../locales/en/overview.json'
import fr from '../../../../../locales/fr/admin.json'
import overviewFr from '../../../../../locales/fr/overview.json'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const disk: HealthPart = {
  ...{ part: 'disk', state: 'well', finding: 'disk_roomy' },
  facts: { free_bytes: 3 * 1024 ** 3, size_bytes: 10 * 1024 ** 3, least_bytes: 0 },
}
const mail: HealthPart = {
  ...{ part: 'mail', state: 'missing', finding: 'mail_refused' },
  facts: { host: 'smtp.orsane.eu:465', error: 'Invalid login' },
}
const queue: HealthPart = {
  ...{ part: 'queue', state: 'limited', finding: 'queue_given_up' },
  facts: { jobs: 1_200 },
}

const overview = {
  attention: [] as Attention[],
  days: [{ day: '2026-11-20', people: 9, calls: 41, amount: 1.94 }],
  ...{ people: 146, waiting: 5, month: 213, budget: 600 as number | null },
  process: { version: '1.8.2', started_at: new Date(Date.now() - 12 * 86_400_000).toISOString() } as
    | object
    | null,
}

/** Opens the overview of a company admin. */
async function openOwn(more: Partial<typeof overview>) {
  const answers = { 'GET /admin/overview': () => ({ ...overview, process: null, ...more }) }
  return renderApp('/admin', {
    token: 't',
    answers: aServer(answers, aUser({ role: 'company_admin' })),
  })
}

async function open(answers: object[], { language = 'en' as 'en' | 'fr' } = {}) {
  const asked: string[] = []
  const answer = (call: { query: URLSearchParams }) => {
    asked.push(String(call.query))
    return answers[Math.min(asked.length, answers.length) - 1]
  }
  await renderApp('/admin', {
    ...{ token: 't', language },
    answers: aServer(
      { 'GET /health': answer, 'GET /admin/overview': () => overview },
      aUser({ role: 'super_admin', language }),
    ),
  })
  return asked
}
const healthOf = (parts: HealthPart[], works_here = true) => ({
  ...{ status: 'ok', workers: 1 },
  details: { code: [], parts, checked_at: '2026-11-20T10:00:00.000Z', works_here },
})

describe('the overview', () => {
  it('shows the figures of today next to the totals, and the version to super admins [AD-02]', async () => {
    await open([healthOf([disk])])
    const today = await screen.findByRole('region', { name: 'Today' })
    expect([...today.querySelectorAll('dd')].map((one) => one.textContent)).toEqual([
      ...['9', 'of 146', ''],
      ...['41', '5 chats wait for a person', ''],
      ...['$1.94', '$213.00 this month of $600.00', ''],
    ])
    expect(screen.getByText('Atrium 1.8.2, up 12 days')).toBeTruthy()
    expect(await screen.findByText('Nothing needs you right now.')).toBeTruthy()
  })

  it('says what needs a company admin and how to act, without the health of the installation', async () => {
    const { called } = await openOwn({
      budget: null,
      attention: [
        { kind: 'webhooks_off', count: 5, names: ['Archive', 'CRM', 'Desk'] },
        { kind: 'budgets_near', count: 1, names: ['Orsane'] },
      ],
    })
    const needs = await screen.findByRole('region', { name: 'Needs you' })
    const rows = within(needs).getAllByRole('listitem')
    expect(rows.map((row) => row.textContent)).toEqual([
      '5 webhooks were turned offArchive, CRM, Desk and 2 moreIt had not arrived for days. Its owner turns it on again once the address works.Open',
      '1 budget is nearly used upOrsaneAt 80 % people are warned. At 100 % their replies stop.',
    ])
    expect(within(rows[0]!).getByRole('link').getAttribute('href')).toBe(
      '/admin?page=connections&kind=webhook',
    )
    expect(screen.getByText('$213.00 this month')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Check again' })).toBeNull()
    await waitFor(() => expect(called('GET /admin/overview')).toHaveLength(1))
    expect(called('GET /health')).toEqual([])
  })

  it('has a sentence and advice for every condition in both languages', () => {
    for (const texts of [overviewEn, overviewFr]) {
      const named = new Set(Object.keys(texts.attention).map((key) => key.replace(/_(one|other)$/, '')))
      expect([...named].sort()).toEqual([...AttentionKind.options].sort())
      expect(Object.keys(texts.todo).sort()).toEqual([...AttentionKind.options].sort())
    }
  })
})

describe('the health of the parts', () => {
  it('lists problems first, with the finding and the remedy', async () => {
    await open([healthOf([disk, queue, mail])])
    await screen.findByText('Missing')
    const rows = screen
      .getAllByRole('listitem')
      .filter((row) => row.textContent?.match(/Works|Limited|Missing/))
    expect(rows.map((row) => row.textContent)).toEqual([
      'Mailsmtp.orsane.eu:465 takes no mail: Invalid loginCheck the address, the name and the password under First steps, or in SMTP_URL. Mails that wait are tried again.Missing',
      'QueueJobs that failed as often as they may: 1,200.Look at them on the page Queue, and have them done again or take them out.Open QueueLimited',
      'Disk3\u00a0GB of 10\u00a0GB are free.Works',
    ])
    const health = within(screen.getByRole('region', { name: 'Health' }))
    expect(health.getByRole('status').textContent).toBe('Well: 1 · needs you: 2')
    expect(within(rows[1]!).getByRole('link', { name: 'Open Queue' }).getAttribute('href')).toContain(
      'page=queue',
    )
  })

  it('repeats the checks on request and shows the result', async () => {
    const asked = await open([
      healthOf([mail]),
      healthOf([{ ...mail, state: 'well', finding: 'mail_taken' }]),
    ])
    await user.click(await screen.findByRole('button', { name: 'Check again' }))
    expect(await screen.findByText('smtp.orsane.eu:465 takes mail.')).toBeTruthy()
    expect(asked).toEqual(['details=true', 'details=true&again=true'])
  })

  it('says on a web-only process that workers have more details', async () => {
    await open([healthOf([disk], false)], { language: 'fr' })
    expect(await screen.findByText(/^Ce serveur ne fait que répondre/)).toBeTruthy()
    expect(await screen.findByText('3 Go libres sur 10 Go.')).toBeTruthy()
  })

  it('translates every finding, with a remedy for each problem', () => {
    for (const { health } of [en, fr]) {
      expect(Object.keys(health.found).sort()).toEqual([...Finding.options].sort())
      expect(Object.keys(health.todo).sort()).toEqual([...findings.limited, ...findings.missing].sort())
      expect(Object.keys(health.part).sort()).toEqual([...HealthName.options].sort())
      expect(Object.keys(health.state).sort()).toEqual([...HealthState.options].sort())
    }
  })
})
