// @vitest-environment jsdom
import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { Announcement, ShownAnnouncement } from '#shared/identity/announcements/announcements.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import { refetchMe } from '../../platform/lib/me/me.ts'
import { splitFirst } from './split-first.ts'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const news: ShownAnnouncement = {
  ...{ id: '00000000-0000-4000-8000-0000000000a1', tone: 'news', language: 'fr' },
  ...{ text: 'Fermé dimanche. <b>Les</b> réponses attendent.', link: 'https://intranet.example/it' },
}
const warning: ShownAnnouncement = {
  ...{ id: '00000000-0000-4000-8000-0000000000a2', tone: 'warning', language: 'en' },
  ...{ text: 'OCR is slow.', link: null },
}

it('shows an announcement on load, as plain text with its language, and dismisses it', async () => {
  let items = [news]
  const page = await renderApp('/tools', {
    token: 't',
    answers: {
      ...aServer({
        'GET /users/me': () => aUser({ announcements: items.length }),
        'GET /users/me/announcements': () => ({ items }),
        [`POST /users/me/announcements/${news.id}/dismissal`]: () => {
          items = []
          return new Response(null, { status: 204 })
        },
      }),
    },
  })
  const text = await screen.findByText(/<b>Les<\/b> réponses attendent\./)
  expect(text.getAttribute('lang')).toBe('fr')
  expect(screen.getByText('(in French)')).toBeTruthy()
  expect(text.closest('[role=status]')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Read more' }).getAttribute('href')).toBe(news.link)
  await user.click(screen.getByRole('button', { name: 'Dismiss: Fermé dimanche.' }))
  await vi.waitFor(() => expect(screen.queryByText(/réponses attendent/)).toBeNull())
  expect(page.called(`POST /users/me/announcements/${news.id}/dismissal`)).toHaveLength(1)
})

it('shows warnings without a dismiss button and opens several with a button', async () => {
  await renderApp('/tools', {
    token: 't',
    answers: aServer({
      'GET /users/me': () => aUser({ announcements: 2 }),
      'GET /users/me/announcements': () => ({ items: [warning, news] }),
    }),
  })
  expect(await screen.findByText('OCR is slow.')).toBeTruthy()
  expect(screen.queryByText(/Fermé/)).toBeNull()
  expect(screen.queryByRole('button', { name: /OCR is slow/ })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Show everything announced' }))
  expect(screen.getByText(/Fermé/)).toBeTruthy()
})

it('overlays late announcements without moving the view', async () => {
  let items: ShownAnnouncement[] = []
  await renderApp('/tools', {
    token: 't',
    answers: aServer({
      'GET /users/me': () => aUser({ announcements: items.length }),
      'GET /users/me/announcements': () => ({ items }),
    }),
  })
  await screen.findByRole('heading', { level: 1 })
  items = [warning]
  await act(refetchMe)
  const place = await screen.findByRole('status', { name: 'Announcements' }, { timeout: 10_000 })
  await user.click(await within(place).findByRole('button', { name: 'Hide for now: OCR is slow.' }))
  await vi.waitFor(() => expect(screen.queryByText('OCR is slow.')).toBeNull())
})

it('creates an announcement for companies and roles, and ends it', async () => {
  const made: Announcement = {
    ...{ id: news.id, tone: 'news', text_en: 'Closed on Sunday.', text_fr: null, link: null },
    audience: { company_ids: ['c1'], group_ids: [], roles: ['member'] },
    ...{ names: ['Orsane'], starts_at: '2026-11-24T10:00:00Z', ends_at: '2026-11-25T10:00:00Z' },
    ...{ state: 'running', author: 'Ada', dismissed: 3, by_mail: false, mails: null },
  }
  let items: Announcement[] = []
  const page = await renderApp('/admin?page=announcements', {
    token: 't',
    answers: aServer(
      {
        'GET /admin/companies': () => [
          { id: 'c1', name: 'Orsane', people: 4, requires_second_factor: false },
        ],
        'GET /admin/groups': () => ({ items: [], total: 0, has_more: false }),
        'GET /admin/announcements': () => ({ items, total: items.length, has_more: false, can_mail: false }),
        'POST /admin/announcements': () => {
          items = [made]
          return [201, made]
        },
        [`POST /admin/announcements/${made.id}/end`]: () => {
          items = [{ ...made, state: 'ended' }]
          return items[0]
        },
      },
      aUser({ role: 'company_admin' }),
    ),
  })
  expect(await screen.findByText('Nothing is announced')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Publish' }))
  expect(await screen.findByText(/Write a text in one language/)).toBeTruthy()
  await user.type(screen.getByLabelText('Text in English'), 'Closed on Sunday.')
  expect(screen.queryByRole('option', { name: 'Everybody' })).toBeNull()
  expect(await screen.findByText('Choose for whom it is.')).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: 'Orsane' }))
  await user.click(screen.getByRole('checkbox', { name: 'Company admin' }))
  await user.click(screen.getByRole('checkbox', { name: 'Super admin' }))
  await user.click(screen.getByRole('button', { name: 'Publish' }))
  expect(await screen.findByText('Orsane, Member · running · dismissed by 3')).toBeTruthy()
  expect(page.called('POST /admin/announcements')[0]?.body).toMatchObject({
    ...{ text_en: 'Closed on Sunday.', text_fr: null, starts_at: null },
    audience: { company_ids: ['c1'], group_ids: [], roles: ['member'] },
  })
  await user.click(screen.getByRole('button', { name: 'End: Closed on Sunday.' }))
  expect(await screen.findByText('Orsane, Member · ended · dismissed by 3')).toBeTruthy()
})

it('returns the first sentence of a text', () => {
  expect(splitFirst('Closed. Until Monday.')).toEqual(['Closed.', 'Until Monday.'])
  expect(splitFirst('Atrium 1.8 is here')).toEqual(['Atrium 1.8 is here', ''])
})
