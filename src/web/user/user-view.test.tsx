import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { User } from '#shared/accounts/accounts.ts'
import { type Answers, leavePage, renderPage } from '../lib/render-page.tsx'
import { getToken } from '../lib/token.ts'
import { aUser } from './user-builder.ts'
import { UserView } from './user-view.tsx'

/** A small server that keeps one user. */
function aServer(given: Partial<User> = {}, more: Answers = {}): Answers {
  let user = aUser(given)
  return {
    'GET /users/me': () => user,
    'PUT /users/me/preferences': ({ body }) => {
      user = { ...user, ...(body as Partial<User>) }
      return user
    },
    'GET /users/me/sign-on-connections': () => ({ items: [], has_password: true }),
    'GET /users/me/billing': () => ({
      enabled: false,
      balance: null,
      items: [],
      total: 0,
      page: 1,
      has_more: false,
      this_month: { amount: 0, input_tokens: 0, output_tokens: 0, calls: 0 },
    }),
    ...more,
  }
}
const draw = (answers: Answers, path = '/user') => renderPage(<UserView />, { path, answers })
const put = (sent: { method: string; body: unknown }[]) => sent.find(({ method }) => method === 'PUT')

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
})
afterEach(leavePage)

describe('tabs', () => {
  it.each([
    ['/user', 'Preferences'],
    ['/user/preferences', 'Preferences'],
    ['/user/security', 'Security'],
    ['/user/billing', 'Billing'],
  ])('RT-11 G-06 %s opens %s', async (path, name) => {
    await draw(aServer(), path)
    expect((await screen.findByRole('tab', { name })).getAttribute('aria-selected')).toBe('true')
  })

  it('RT-11 SH-08 keeps the tab in the address', async () => {
    const page = await draw(aServer())
    await userEvent.click(await screen.findByRole('tab', { name: 'Security' }))
    await waitFor(() => expect(page.pathNow()).toBe('/user/security'))
    expect(await screen.findByRole('button', { name: 'Change password' })).toBeTruthy()
  })

  it('AU-24 shows who is signed in', async () => {
    await draw(aServer({ full_name: null, username: 'claire' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'claire' })).toBeTruthy()
    expect(screen.getByText('claire.delmas@orsane.eu')).toBeTruthy()
  })

  it('AU-32 signs out', async () => {
    const { sent } = await draw(aServer({}, { 'DELETE /token': () => ({ message: 'Bye' }) }))
    await userEvent.click(await screen.findByRole('button', { name: 'Log out' }))
    await waitFor(() => expect(getToken()).toBeNull())
    expect(sent.some(({ method, path }) => method === 'DELETE' && path === '/token')).toBe(true)
  })
})

describe('preferences', () => {
  it('AU-26 has a save bar from the first change, saves only that, and reads the user again', async () => {
    const { sent } = await draw(aServer({ bio: 'Old' }))
    const bio = await screen.findByRole('textbox', { name: 'About you' })
    expect(screen.queryByText(/unsaved/)).toBeNull()
    await userEvent.clear(bio)
    await userEvent.type(bio, 'New')
    expect(screen.getByText('1 unsaved change')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByText(/unsaved/)).toBeNull())
    expect(put(sent)?.body).toEqual({ bio: 'New' })
    const calls = sent.map(({ method, path }) => `${method} ${path}`)
    expect(calls.lastIndexOf('GET /users/me')).toBeGreaterThan(calls.indexOf('PUT /users/me/preferences'))
  })

  it('AU-26 I18-03 the interface follows the language', async () => {
    const { sent } = await draw(aServer())
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'Français')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('tab', { name: 'Préférences' })).toBeTruthy()
    expect(put(sent)?.body).toEqual({ language: 'fr' })
  })

  it('AU-26 adds, changes and deletes examples of writing', async () => {
    const { sent } = await draw(aServer({ writing_style_examples: ['First text here'] }))
    await userEvent.click(await screen.findByRole('button', { name: 'Add an example' }))
    await userEvent.type(screen.getByRole('textbox', { name: 'Example 2' }), 'Second')
    await userEvent.click(screen.getByRole('button', { name: 'Delete example 1' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(put(sent)?.body).toEqual({ writing_style_examples: ['Second'] }))
  })

  it('AU-26 discards, and keeps what was written when saving fails', async () => {
    await draw(
      aServer(
        { bio: 'Old' },
        { 'PUT /users/me/preferences': () => [422, { detail: 'Too odd.', code: 'odd' }] },
      ),
    )
    const bio = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'About you' })
    await userEvent.type(bio, ' and new')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Too odd.')
    expect(bio.value).toBe('Old and new')
    await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
    expect(bio.value).toBe('Old')
  })

  it('SH-03 chooses the theme of this device at once', async () => {
    const { sent } = await draw(aServer())
    await userEvent.click(await screen.findByRole('radio', { name: 'Dark' }))
    expect(document.documentElement.dataset.theme).toBe('dark')
    expect(localStorage.getItem('darkMode')).toBe('true')
    await userEvent.click(screen.getByRole('radio', { name: 'Like the system' }))
    expect(localStorage.getItem('darkMode')).toBeNull()
    expect(put(sent)).toBeUndefined()
  })
})

describe('security', () => {
  const fill = async (current: string, next: string, again: string) => {
    await userEvent.type(await screen.findByLabelText('Current password'), current)
    await userEvent.type(screen.getByLabelText('New password'), next)
    await userEvent.type(screen.getByLabelText('Confirm new password'), again)
    await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
  }

  it('AU-27 AU-10 AU-11 G-28 keeps the two rules of a password', async () => {
    const { sent } = await draw(aServer(), '/user/security')
    await fill('old-password', 'short', 'short')
    expect(screen.getByText('The password must have at least 8 characters.')).toBeTruthy()
    await userEvent.type(screen.getByLabelText('New password'), '-enough')
    expect(screen.getByText('The two passwords do not match.')).toBeTruthy()
    expect(sent.some(({ method }) => method === 'POST')).toBe(false)
  })

  it('SV-84 sends both passwords and says that it worked', async () => {
    const answers = aServer({}, { 'POST /users/me/change-password': () => ({ message: 'Changed' }) })
    const { sent } = await draw(answers, '/user/security')
    await fill('old-password', 'new-password', 'new-password')
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
        current_password: 'old-password',
        new_password: 'new-password',
      }),
    )
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe(''))
  })

  it('SV-84 shows a wrong current password under its field', async () => {
    const refusal = {
      detail: 'Wrong.',
      code: 'invalid',
      errors: [{ path: 'current_password', message: 'This is not your password.' }],
    }
    await draw(aServer({}, { 'POST /users/me/change-password': () => [422, refusal] }), '/user/security')
    await fill('old-passwore', 'new-password', 'new-password')
    expect(await screen.findByText('This is not your password.')).toBeTruthy()
    expect(screen.getByLabelText('Current password').getAttribute('aria-invalid')).toBe('true')
  })

  it('G-28 lists connected services and disconnects one after asking', async () => {
    const items = [
      { provider: 'google', email: 'claire@gmail.com', connected_at: '2026-11-03T08:00:00.000Z' },
    ]
    const answers = aServer(
      {},
      {
        'GET /users/me/sign-on-connections': () => ({ items, has_password: true }),
        'DELETE /users/me/sign-on-connections/google': () => {
          items.pop()
          return { message: 'Gone' }
        },
      },
    )
    await draw(answers, '/user/security')
    await userEvent.click(await screen.findByRole('button', { name: 'Disconnect Google' }))
    await userEvent.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Disconnect' }),
    )
    expect(await screen.findByText('No service is connected.')).toBeTruthy()
  })

  it('G-28 never offers to take away the only way in, and lets a first password be set', async () => {
    const items = [{ provider: 'google', email: null, connected_at: '2026-11-03T08:00:00.000Z' }]
    const answers = aServer(
      {},
      {
        'GET /users/me/sign-on-connections': () => ({ items, has_password: false }),
        'POST /users/me/change-password': () => ({ message: 'Set' }),
      },
    )
    const { sent } = await draw(answers, '/user/security')
    expect(
      (await screen.findByRole<HTMLButtonElement>('button', { name: 'Disconnect Google' })).disabled,
    ).toBe(true)
    expect(screen.queryByLabelText('Current password')).toBeNull()
    await userEvent.type(screen.getByLabelText('New password'), 'new-password')
    await userEvent.type(screen.getByLabelText('Confirm new password'), 'new-password')
    await userEvent.click(screen.getByRole('button', { name: 'Set password' }))
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ new_password: 'new-password' }),
    )
  })

  it('AU-32 signs out everywhere after asking', async () => {
    const answers = aServer(
      {},
      {
        'DELETE /users/me/tokens': () => ({ message: 'Gone' }),
        'DELETE /token': () => [401, { detail: 'Gone.' }],
      },
    )
    const { sent } = await draw(answers, '/user/security')
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out everywhere' }))
    expect(sent.some(({ path }) => path === '/users/me/tokens')).toBe(false)
    await userEvent.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sign out everywhere' }),
    )
    await waitFor(() => expect(getToken()).toBeNull())
    expect(sent.some(({ path }) => path === '/users/me/tokens')).toBe(true)
  })
})
