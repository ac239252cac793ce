// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { QueuedJob } from '#shared/lifecycle/queue/queue.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const at = '2026-11-20T10:00:00.000Z'
const aJob = (job: Partial<QueuedJob>): QueuedJob => ({
  ...{ id: '1', kind: 'document', name: 'process-document', state: 'running' },
  ...{ attempts: 1, attempts_most: 10, added_at: at, at, ...job },
})
const counts = { running: 1, waiting: 0, later: 0, retrying: 0, given_up: 1 }

async function open(
  role: 'super_admin' | 'company_admin',
  jobs = [aJob({}), aJob({ id: '2', kind: 'mail', name: 'accounts.mail', state: 'given_up', attempts: 10 })],
) {
  const asked: string[] = []
  const note = (what: string) => (call: { query: URLSearchParams }) => {
    asked.push(`${what} ${call.query}`.trim())
    return { message: 'done' }
  }
  await renderApp('/admin?page=queue', {
    token: 't',
    answers: aServer(
      {
        'GET /admin/companies': () => [],
        'GET /admin/users': () => ({ items: [], total: 0, page: 1, has_more: false }),
        'GET /admin/queue': (call: { query: URLSearchParams }) => {
          note('list')(call)
          return { items: jobs, counts, total: jobs.length, has_more: false }
        },
        'POST /admin/queue/2/retry': note('retry 2'),
        'POST /admin/queue/1/cancel': note('cancel 1'),
      },
      aUser({ role }),
    ),
  })
  return asked
}

describe('the queue page', () => {
  it('shows running and failed jobs, retries one and cancels one', async () => {
    const asked = await open('super_admin')
    const failed = await screen.findByRole('row', { name: /Mail Given up 10 of 10/ })
    const runs = screen.getByRole('row', { name: /Document Running 1 of 10/ })
    expect(within(runs).queryByRole('button', { name: /Do now/ })).toBeNull()
    await user.click(within(failed).getByRole('button', { name: 'Do now: Mail 2' }))
    await screen.findByText('The job is done now.')
    await user.click(within(runs).getByRole('button', { name: 'Cancel: Document 1' }))
    await expect.poll(() => asked).toEqual(expect.arrayContaining(['retry 2', 'cancel 1']))
    expect(await screen.findByText('The job was cancelled.')).toBeTruthy()
  })

  it('filters by state and shows the count of each', async () => {
    const asked = await open('super_admin')
    await screen.findByRole('option', { name: 'Given up · 1' })
    await user.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'given_up')
    await expect.poll(() => asked, { timeout: 10_000 }).toContain('list state=given_up&page=1')
  })

  it('shows an empty queue, and is hidden from company admins', async () => {
    await open('super_admin', [])
    expect(await screen.findByText('No job is waiting')).toBeTruthy()
    leaveApp()
    await open('company_admin')
    expect(await screen.findByRole('button', { name: 'Users' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Queue' })).toBeNull()
  })
})
