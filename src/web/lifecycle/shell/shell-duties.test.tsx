import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp, theSession } from '#tests/web/render-app.tsx'
import { aSession } from '#tests/web/session-builder.ts'
import { currentLanguage } from '../../platform/i18n/i18n.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { raiseSessionExpired } from '../../platform/lib/me/session-expired.ts'
import { getToken } from '../../platform/lib/me/token.ts'

/** Fast views have no placeholder, so every view loads slowly here. */
const slowly = vi.hoisted(() => async (load: () => Promise<object>) => {
  await new Promise((resolve) => setTimeout(resolve, 400))
  return load()
})
vi.mock('../../tools/tools/tools-view.tsx', slowly)
vi.mock('../user/user-view.tsx', slowly)
vi.mock('../../chat/inbox/inbox-view.tsx', slowly)
vi.mock('../debug/debug-view.tsx', slowly)
vi.mock('../models-area/models-view.tsx', slowly)
vi.mock('../../chat/messages/chat-view.tsx', slowly)
vi.mock('../../knowledge/documents/library-view.tsx', slowly)

beforeEach(() => prepareBrowser())
afterEach(() => {
  vi.useRealTimers()
  leaveApp()
})

async function openTools(answers = aServer()) {
  const app = await renderApp('/tools', { token: 't', answers })
  await screen.findByRole('heading', { level: 1 })
  return app
}

/** Each view is opened for the first time, because its code stays loaded. */
describe('code of a view', () => {
  beforeAll(() => import('./home.tsx'))

  it.each(['/tools', '/user', '/documents', '/debug', '/admin/models', '/inbox', '/chat'])(
    'shows Loading view... for %s until it is loaded [SH-21]',
    async (path) => {
      const answers = aServer({}, aUser({ role: 'super_admin' }))
      const opened = renderApp(path, { token: 't', answers })
      const placeholder = await screen.findByText('Loading view...')
      expect(placeholder.closest('[role=status]')).toBeTruthy()
      expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy()
      await waitFor(() => expect(screen.queryByText('Loading view...')).toBeNull())
      expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy()
      expect((await opened).hrefNow()).toContain(path)
    },
  )
})

describe('shell', () => {
  it('still has what was typed, in dialogs too, after new terms are accepted [GV-06]', async () => {
    let terms_due = false
    const me = () => aUser({ terms_due })
    const due = { 'GET /users/me/terms': () => ({ items: [] }) }
    await openTools(
      aServer({ 'GET /users/me': me, 'GET /projects': () => ({ items: [], total: 0 }), ...due }),
    )
    const main = document.querySelector('main') as HTMLElement
    const [search] = await within(main).findAllByRole('searchbox')
    if (!search) throw new Error('The page has no search.')
    await userEvent.type(search, 'half')
    await userEvent.click(screen.getByRole('button', { name: /^New project/ }))
    const name = () => within(screen.getByRole('dialog')).getAllByRole('textbox')[0] as HTMLInputElement
    await screen.findByRole('dialog')
    await userEvent.type(name(), 'Leases')
    const follow = (value: boolean) => {
      terms_due = value
      return act(() => queryClient.invalidateQueries({ queryKey: ['me'] }))
    }
    await follow(true)
    await screen.findByRole('heading', { name: 'New terms' })
    expect(document.title).toContain('New terms')
    await waitFor(() => expect(screen.queryByRole('navigation', { name: 'Main', hidden: false })).toBeNull())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await follow(false)
    await screen.findByRole('dialog')
    expect(name().value).toBe('Leases')
    expect(search).toHaveProperty('value', 'half')
    expect(search.isConnected).toBe(true)
  })

  it('counts waiting requests in every view, and links them [RT-31]', async () => {
    const user = userEvent.setup()
    const waiting = { 'GET /input-requests': () => ({ items: [], total: 3, assistants: [] }) }
    const { hrefNow } = await openTools(aServer(waiting))
    const badge = await screen.findByRole('button', { name: 'Inbox, 3 requests wait for you' })
    expect(badge.textContent).toContain('3')
    await user.click(badge)
    await user.click(await screen.findByRole('button', { name: 'Open inbox' }))
    await waitFor(() => expect(hrefNow()).toBe('/inbox'))
  })

  it('shows the balance in the top bar, where it covers nothing, as a link to the billing page [BI-01]', async () => {
    await openTools(aServer({}, aUser({ balance: 4.2 })))
    const bar = document.querySelector<HTMLElement>('main > header')
    const link = await within(bar!).findByRole('link', { name: 'Balance $4.20, open billing' })
    expect([link.textContent, link.getAttribute('href')]).toEqual(['$4.20', '/user/billing'])
    expect(screen.queryByRole('complementary', { name: 'Balance and help' })).toBeNull()
  })

  it.each([
    ['floats next to a chat in a wide window', true],
    ['is in the top bar of a chat in a narrow window', false],
  ])('shows a balance that %s [BI-01]', async (_, isWide) => {
    const { matchMedia } = window
    window.matchMedia = ((query: string) =>
      query.includes('1440px') ? { ...matchMedia(query), matches: isWide } : matchMedia(query)) as never
    const session = aSession({ title: 'First' })
    const answers = aServer(theSession(session), aUser({ balance: 4.2 }))
    await renderApp(`/chat/${session.id}`, { token: 't', answers })
    const link = await screen.findByRole('link', { name: 'Balance $4.20, open billing' })
    expect(link.closest('aside.fixed') !== null).toBe(isWide)
    expect(link.closest('main > header') !== null).toBe(!isWide)
  })

  it('uses the language of the profile, and follows its changes [I18-03]', async () => {
    let me = aUser({ language: 'fr' })
    await openTools(aServer({ 'GET /users/me': () => me }))
    expect(await screen.findByRole('heading', { name: 'Outils', level: 1 })).toBeTruthy()
    expect([currentLanguage(), localStorage.getItem('i18nextLng')]).toEqual(['fr', 'fr'])
    me = aUser({ language: 'en' })
    expect(await screen.findByRole('heading', { name: 'Tools', level: 1 })).toBeTruthy()
  })

  it('refetches the person when the window gains the focus, once per burst, after 500 ms [AU-30]', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { called } = await openTools()
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    const reads = () => called('GET /users/me').length
    // Right after a poll, the next one is 5 s away.
    for (const before = reads(); reads() === before; ) await pass(100)
    const before = reads()
    for (let burst = 0; burst < 5; burst += 1) window.dispatchEvent(new Event('focus'))
    await pass(300)
    expect(reads()).toBe(before)
    await pass(400)
    expect(reads()).toBe(before + 1)
    await pass(1000)
    expect(reads()).toBe(before + 1)
  })

  it('validates the token every 60 s, even without other requests [AU-29, G-04]', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { called } = await openTools()
    act(() => raiseSessionExpired())
    const before = called('GET /users/me').length
    await act(() => vi.advanceTimersByTimeAsync(50_000))
    expect(called('GET /users/me')).toHaveLength(before)
    await act(() => vi.advanceTimersByTimeAsync(11_000))
    expect(called('GET /users/me')).toHaveLength(before + 1)
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(called('GET /users/me')).toHaveLength(before + 2)
    expect(getToken()).toBe('t')
  })
})
