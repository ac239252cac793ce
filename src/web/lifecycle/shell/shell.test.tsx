import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp, theSession } from '#tests/web/render-app.tsx'
import { aSession } from '#tests/web/session-builder.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { useReachability } from '../../platform/lib/api/reachability.ts'
import { useCurrentSession } from '../../platform/lib/current-session.ts'
import { useLayout } from '../../platform/lib/layout.ts'
import { raiseSessionExpired, useSessionExpired } from '../../platform/lib/me/session-expired.ts'
import { getToken } from '../../platform/lib/me/token.ts'
import { initialsOf } from '../../platform/ui/avatar.tsx'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(leaveApp)

const nav = () => screen.getByRole('navigation', { name: 'Main' })
const openMenu = async () => {
  const row = await screen.findByRole('button', { name: /Profile menu$/ })
  // The whole row opens it, not only the sign at its end.
  await user.click(within(row).getByText('Claire Delmas'))
}

async function openTools(answers = aServer()) {
  const app = await renderApp('/tools', { token: 't', answers })
  await screen.findByRole('heading', { name: 'Tools', level: 1 })
  return app
}

describe('sidebar', () => {
  it('is open at first and 300 px wide; closed, it is a rail [SH-04]', async () => {
    await openTools()
    expect(nav().className).toContain('w-75')
    await user.click(screen.getByRole('button', { name: 'Collapse sidebar' }))
    expect(nav().className).toContain('w-14')
    await user.click(screen.getByRole('button', { name: 'Expand sidebar' }))
    expect(nav().className).toContain('w-75')
  })

  it('marks the current view, not only by colour [SH-05]', async () => {
    await openTools()
    const entries = within(nav())
      .getAllByRole('link')
      .map((link) => link.textContent)
    // Links of the list of chats follow once it is loaded.
    expect(entries.slice(0, 7)).toEqual([
      'Home',
      'Chat',
      'Documents',
      'Assistants',
      'Prompts',
      'Schedules',
      'Tools',
    ])
    expect(within(nav()).getByRole('link', { name: 'Tools' }).getAttribute('aria-current')).toBe('page')
  })

  it('opens the user view from the profile menu [SH-08]', async () => {
    const { hrefNow } = await openTools()
    await openMenu()
    await user.click(await screen.findByRole('menuitem', { name: 'Profile and preferences' }))
    await waitFor(() => expect(hrefNow()).toBe('/user'))
  })

  it('ends the current session on navigation to the documents [SH-19, SH-20]', async () => {
    const session = aSession({ title: 'First' })
    await renderApp(`/chat/${session.id}`, { token: 't', answers: aServer(theSession(session)) })
    await screen.findByRole('heading', { name: 'First', level: 1 })
    await user.click(within(nav()).getByRole('link', { name: 'Tools' }))
    await screen.findByRole('heading', { name: 'Tools', level: 1 })
    expect(within(nav()).getByRole('link', { name: 'Chat' }).getAttribute('href')).toBe(`/chat/${session.id}`)
    await user.click(within(nav()).getByRole('link', { name: 'Documents' }))
    await waitFor(() => expect(useCurrentSession.getState().id).toBeNull())
    expect(within(nav()).getByRole('link', { name: 'Chat' }).getAttribute('href')).toBe('/')
  })

  it('is a sheet on phones, opened from the top bar and closed by navigation', async () => {
    prepareBrowser({ isPhone: true })
    const { hrefNow } = await openTools()
    expect(screen.queryByRole('navigation')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Open menu' }))
    const sheet = await screen.findByRole('dialog', { name: 'Main' })
    await user.click(within(sheet).getByRole('link', { name: 'Documents' }))
    await waitFor(() => expect(hrefNow()).toBe('/documents'))
    await waitFor(() => expect(useLayout.getState().isSheetOpen).toBe(false))
  })
})

describe('view', () => {
  it('has landmarks, a skip link and one heading, which gets the focus after navigation', async () => {
    await openTools()
    expect(screen.getByRole('main').id).toBe('main')
    expect(screen.getByRole('link', { name: 'Skip to content' }).getAttribute('href')).toBe('#main')
    await user.click(within(nav()).getByRole('link', { name: 'Assistants' }))
    const heading = await screen.findByRole('heading', { name: 'Assistants', level: 1 })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    expect(document.title).toBe('Assistants · Atrium')
  })

  it('reports when the server is unreachable, and when it is back', async () => {
    await openTools()
    act(() => useReachability.setState({ isReachable: false }))
    expect(screen.getByText('The server does not answer.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Try now' }))
    expect(await screen.findByText('Back online.')).toBeTruthy()
  })
})

describe('shortcuts', () => {
  it('start a chat with Ctrl+Shift+O: first the root, then the new session [RT-29]', async () => {
    const session = aSession({ title: '' })
    const answers = aServer({ ...theSession(session), 'POST /sessions': () => [201, session] })
    const { router, hrefNow, called } = await openTools(answers)
    const seen: string[] = []
    router.subscribe('onBeforeNavigate', ({ toLocation }) => void seen.push(toLocation.pathname))
    fireEvent.keyDown(window, { key: 'O', ctrlKey: true, shiftKey: true })
    await waitFor(() => expect(hrefNow()).toBe(`/chat/${session.id}`))
    expect(seen.slice(0, 2)).toEqual(['/', `/chat/${session.id}`])
    expect(called('POST /sessions')).toHaveLength(1)
  })

  it('show the list of shortcuts with ?, except in a text field', async () => {
    await openTools(aServer())
    const search = document.createElement('input')
    document.body.append(search)
    fireEvent.keyDown(search, { key: '?', shiftKey: true })
    search.remove()
    expect(screen.queryByRole('dialog')).toBeNull()
    fireEvent.keyDown(window, { key: '?', shiftKey: true })
    const sheet = await screen.findByRole('dialog', { name: 'Shortcuts' })
    expect(within(sheet).getByText('New chat').closest('li')?.textContent).toBe('New chatCtrl Shift O ')
    expect(sheet.textContent).not.toMatch(/actions\.|places\.|keys\./)
    await user.click(within(sheet).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('report that a chat could not be started', async () => {
    await openTools(aServer({ 'POST /sessions': () => [503, { code: 'unavailable', detail: 'down' }] }))
    await user.click(within(nav()).getByRole('button', { name: /New chat/ }))
    expect(await screen.findByText(/The service is not available right now\./)).toBeTruthy()
  })

  it('open and close the palette with Ctrl+K', async () => {
    await openTools(aServer({ 'GET /palette': () => ({ items: [] }) }))
    fireEvent.keyDown(window, { key: 'k', ctrlKey: true })
    const field = await screen.findByRole('combobox', { name: 'Search or run a command' })
    fireEvent.keyDown(field, { key: 'k', ctrlKey: true })
    await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull())
  })
})

describe('session-expired popup', () => {
  async function expire(answers = {}) {
    const app = await openTools(aServer(answers))
    act(() => raiseSessionExpired())
    const dialog = await screen.findByRole('dialog', { name: 'Session Expired' })
    return { ...app, dialog }
  }

  it('is shown over the view and explains itself [SH-23]', async () => {
    const { dialog, hrefNow } = await expire()
    expect(dialog.textContent).toContain('Your session has expired. Please reconnect to continue.')
    expect(hrefNow()).toBe('/tools')
    await user.keyboard('{Escape}')
    expect(screen.getByRole('dialog', { name: 'Session Expired' })).toBeTruthy()
  })

  it('opens when any call is refused [SH-23, G-03]', async () => {
    let isRefused = false
    const answers = aServer({
      'GET /users/me': () => (isRefused ? [401, { code: 'unauthenticated', detail: 'no' }] : aUser()),
    })
    await openTools(answers)
    isRefused = true
    act(() => void queryClient.refetchQueries({ queryKey: ['me'] }))
    expect(await screen.findByRole('dialog', { name: 'Session Expired' })).toBeTruthy()
    expect(getToken()).toBe('t')
  })

  it('embeds the login: it stores the token, closes and refetches the sessions [SH-24]', async () => {
    const { called, hrefNow } = await expire({
      'POST /token': () => ({ access_token: 'renewed', token_type: 'bearer' }),
    })
    expect(screen.getByLabelText<HTMLInputElement>('E-mail or username').value).toBe(
      'claire.delmas@orsane.eu',
    )
    const listed = called('GET /sessions').length
    await user.type(screen.getByLabelText('Password'), 'secret-1')
    await user.click(screen.getByRole('button', { name: 'Reconnect' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(getToken()).toBe('renewed')
    expect(useSessionExpired.getState().isExpired).toBe(false)
    expect(hrefNow()).toBe('/tools')
    await waitFor(() => expect(called('GET /sessions').length).toBeGreaterThan(listed))
  })

  it('stays open after a wrong password [SH-24]', async () => {
    await expire({
      'POST /token': () => [
        401,
        { code: 'wrong_credentials', detail: 'Login failed. Please check your credentials.' },
      ],
    })
    await user.type(screen.getByLabelText('Password'), 'wrong')
    await user.click(screen.getByRole('button', { name: 'Reconnect' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Login failed.')
    expect(screen.getByRole('dialog', { name: 'Session Expired' })).toBeTruthy()
  })

  it('lets another user sign in', async () => {
    const { hrefNow } = await expire()
    await user.click(screen.getByRole('button', { name: 'Log in as somebody else' }))
    await waitFor(() => expect(hrefNow()).toBe('/login'))
    expect(getToken()).toBeNull()
  })
})

describe('profile menu', () => {
  it('opens the list of shortcuts', async () => {
    await openTools()
    await openMenu()
    await user.click(await screen.findByRole('menuitem', { name: 'Shortcuts' }))
    const sheet = await screen.findByRole('dialog', { name: 'Shortcuts' })
    await user.click(within(sheet).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('signs out: deletes token, stream cookies and cache, and keeps the last path [AU-32, G-07]', async () => {
    const { hrefNow, called } = await openTools()
    await openMenu()
    await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }))
    await waitFor(() => expect(hrefNow()).toBe('/login'))
    expect(called('DELETE /token')).toHaveLength(1)
    expect([getToken(), document.cookie]).toEqual([null, ''])
    expect(queryClient.getQueryData(['me'])).toBeUndefined()
    expect(localStorage.getItem('lastPath')).toBe('/tools')
  })

  it('changes the language here and in the profile [I18-03]', async () => {
    let me = aUser()
    const answers = aServer({
      'GET /users/me': () => me,
      'PUT /users/me/preferences': ({ body }) => {
        me = { ...me, ...(body as object) }
        return me
      },
    })
    const { called } = await openTools(answers)
    await openMenu()
    await user.click(await screen.findByRole('menuitem', { name: 'Français' }))
    expect(await screen.findByRole('heading', { name: 'Outils', level: 1 })).toBeTruthy()
    expect(called('PUT /users/me/preferences')[0]?.body).toEqual({ language: 'fr' })
    expect(localStorage.getItem('i18nextLng')).toBe('fr')
  })

  it('switches the theme [SH-03]', async () => {
    await openTools()
    document.documentElement.dataset.theme = 'light'
    await openMenu()
    await user.click(await screen.findByRole('menuitem', { name: 'Use dark theme' }))
    expect(document.documentElement.dataset.theme).toBe('dark')
    expect(localStorage.getItem('darkMode')).toBe('true')
  })

  it('offers the models to super admins only', async () => {
    await openTools()
    await openMenu()
    await screen.findByRole('menuitem', { name: 'Sign out' })
    expect(screen.queryByRole('menuitem', { name: 'Models' })).toBeNull()
    leaveApp()
    const { hrefNow } = await openTools(aServer({}, aUser({ role: 'super_admin' })))
    await openMenu()
    await user.click(await screen.findByRole('menuitem', { name: 'Models' }))
    await waitFor(() => expect(hrefNow()).toBe('/admin/models'))
  })

  it('creates initials of any name', () => {
    expect(['Claire Delmas', 'claire', 'Jean de La Tour', 'x.y'].map(initialsOf)).toEqual([
      'CD',
      'C',
      'JT',
      'XY',
    ])
  })
})
