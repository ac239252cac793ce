// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  Finding,
  findings,
  HealthName,
  type HealthPart,
  HealthState,
} from '#shared/lifecycle/health/health.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import en from '../../../../../locales/en/admin.json'
import fr from '../../../../../locales/fr/admin.json'

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

async function open(answers: object[], { language = 'en' as 'en' | 'fr' } = {}) {
  const asked: string[] = []
  const answer = (call: { query: URLSearchParams }) => {
    asked.push(String(call.query))
    return answers[Math.min(asked.length, answers.length) - 1]
  }
  await renderApp('/admin?page=health', {
    ...{ token: 't', language },
    answers: aServer(
      { 'GET /health': answer, 'GET /admin/companies': () => [] },
      aUser({ role: 'super_admin', language }),
    ),
  })
  return asked
}
const healthOf = (parts: HealthPart[], works_here = true) => ({
  ...{ status: 'ok', workers: 1 },
  details: { code: [], parts, checked_at: '2026-11-20T10:00:00.000Z', works_here },
})

describe('the health page', () => {
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
    expect(screen.getByRole('status').textContent).toBe('Well: 1 · needs you: 2')
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
