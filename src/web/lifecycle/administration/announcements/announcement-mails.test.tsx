// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { MailCounts } from '#shared/identity/announcements/announcement-mails.ts'
import type { Announcement } from '#shared/identity/announcements/announcements.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const ID = '00000000-0000-4000-8000-0000000000a1'

const counts = (more: Partial<MailCounts> = {}): MailCounts => ({
  ...{ waiting: 0, sent: 0, failed: 0, unknown: 0, stopped: 0, problem: null, next_at: null },
  ...more,
})

const anAnnouncement = (mails: MailCounts): Announcement => ({
  ...{ id: ID, tone: 'news', text_en: 'Closed on Sunday.', text_fr: null, link: null },
  audience: { company_ids: [], group_ids: [], roles: [] },
  ...{ names: [], starts_at: '2026-11-24T10:00:00Z', ends_at: '2026-11-25T10:00:00Z' },
  ...{ state: 'running', author: 'Ada', dismissed: 0, by_mail: true, mails },
})

const open = (items: Announcement[], { can_mail = true } = {}) =>
  renderApp('/admin?page=announcements', {
    token: 't',
    answers: aServer(
      {
        'GET /admin/companies': () => [],
        'GET /admin/groups': () => ({ items: [], total: 0, has_more: false }),
        'GET /admin/announcements': () => ({ items, total: items.length, has_more: false, can_mail }),
        'POST /admin/announcements': () => [201, anAnnouncement(counts())],
        [`GET /admin/announcements/${ID}/undelivered-mails`]: () => ({
          items: [
            {
              ...{ user_id: 'u1', name: 'Bea', email: 'bea@example.com', state: 'failed' },
              said: '550 No such mailbox',
            },
          ],
          ...{ total: 1, has_more: false },
        }),
      },
      aUser({ role: 'super_admin' }),
    ),
  })

const byMail = () => screen.findByRole('checkbox', { name: 'Also send by mail' })

it('sends an announcement by mail only when that is chosen', async () => {
  const page = await open([])
  const box = await byMail()
  expect((box as HTMLInputElement).checked).toBe(false)
  await userEvent.type(screen.getByLabelText('Text in English'), 'Closed.')
  await expect.poll(() => (box as HTMLInputElement).disabled).toBe(false)
  await userEvent.click(box)
  await userEvent.click(screen.getByRole('button', { name: 'Publish' }))
  await expect
    .poll(() => page.called('POST /admin/announcements')[0]?.body)
    .toMatchObject({ text_en: 'Closed.', by_mail: true })
})

it('says that no mail server is set up, and offers no mails', async () => {
  await open([], { can_mail: false })
  expect(((await byMail()) as HTMLInputElement).disabled).toBe(true)
  expect(await screen.findByText('No mail server is set up, so nothing can be sent by mail.')).toBeTruthy()
})

it('shows how many mails have left and why the others wait', async () => {
  const waits = { problem: 'unreachable' as const, next_at: '2026-11-24T10:05:00Z' }
  await open([anAnnouncement(counts({ waiting: 3, sent: 5, stopped: 1, ...waits }))])
  expect(await screen.findByText('5 of 9 mails sent · 1 stopped')).toBeTruthy()
  expect(screen.getByText(/^The mail server does not answer\. Next attempt at /)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Show mails that failed/ })).toBeNull()
})

it('lists the people whose mail failed, with the reply', async () => {
  await open([anAnnouncement(counts({ sent: 5, failed: 1, unknown: 1 }))])
  expect(await screen.findByText('5 of 7 mails sent · 1 failed · 1 uncertain')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Show mails that failed: Closed on Sunday.' }))
  const dialog = await screen.findByRole('dialog', { name: 'Mails that failed or are uncertain' })
  expect(await within(dialog).findByText('550 No such mailbox')).toBeTruthy()
  expect(within(dialog).getByText('bea@example.com · failed')).toBeTruthy()
})
