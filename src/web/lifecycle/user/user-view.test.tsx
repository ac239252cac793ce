import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { User } from '#shared/identity/accounts/accounts.ts'
import type { SignIn } from '#shared/identity/accounts/own-account.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { aUser } from '#tests/web/user-builder.ts'
import { readKept } from '../../platform/lib/kept/kept.ts'
import { getToken } from '../../platform/lib/me/token.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { UserView } from './user-view.tsx'

/** A fake server with one user. */
function aServer(given: Partial<User> = {}, more: Answers = {}): Answers {
  let user = aUser(given)
  return {
    'GET /users/me': () => user,
    'PUT /users/me/preferences': ({ body }) => {
      user = { ...user, ...(body as Partial<User>) }
      return user
    },
    'GET /users/me/sign-on-connections': () => ({ items: [], others: [], has_password: true }),
    'GET /users/me/tokens': () => ({ items: [] }),
    'GET /users/me/api-keys': () => ({ items: [], total: 0, has_more: false }),
    'GET /webhooks': () => ({ items: [], total: 0 }),
    'GET /users/me/passkeys': () => ({ items: [] }),
    'GET /users/me/second-factor': () => ({ app_since: null, recovery_codes_left: 0, is_required: false }),
    'GET /users/me/billing/usage': () => ({ steps: [], models: [] }),
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
    ['/user/keys', 'API keys'],
    ['/user/billing', 'Billing'],
  ])('%s opens %s [RT-11, G-06]', async (path, name) => {
    await draw(aServer(), path)
    expect((await screen.findByRole('tab', { name })).getAttribute('aria-selected')).toBe('true')
  })

  it('keeps the tab in the address [RT-11, SH-08]', async () => {
    const page = await draw(aServer())
    await userEvent.click(await screen.findByRole('tab', { name: 'Security' }))
    await waitFor(() => expect(page.pathNow()).toBe('/user/security'))
    expect(await screen.findByRole('button', { name: 'Change password' })).toBeTruthy()
  })

  it('show who is signed in [AU-24]', async () => {
    await draw(aServer({ full_name: null, username: 'claire' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'claire' })).toBeTruthy()
    expect(screen.getAllByText('claire.delmas@orsane.eu')).toHaveLength(2)
  })

  it('sign out [AU-32]', async () => {
    const { sent } = await draw(aServer({}, { 'DELETE /token': () => ({ message: 'Bye' }) }))
    await userEvent.click(await screen.findByRole('button', { name: 'Log out' }))
    await waitFor(() => expect(getToken()).toBeNull())
    expect(sent.some(({ method, path }) => method === 'DELETE' && path === '/token')).toBe(true)
  })
})

describe('preferences', () => {
  it('show a save bar from the first change, save only changes, and refetch the user [AU-26]', async () => {
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

  it('preserve unsaved edits across navigation and reload, and say so [AU-26]', async () => {
    const said = vi.spyOn(toast, 'info')
    const answers = aServer({ bio: 'Old' })
    const { unmount } = await draw(answers)
    await userEvent.type(await screen.findByRole('textbox', { name: 'About you' }), ' and new')
    unmount()
    expect(said).toHaveBeenCalledWith('Your changes are kept here, but not saved yet.')
    const { sent } = await draw(answers)
    expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'About you' })).value).toBe(
      'Old and new',
    )
    expect(screen.getByText('1 unsaved change')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(put(sent)?.body).toEqual({ bio: 'Old and new' }))
    await waitFor(() => expect(readKept('preferences')).toBeNull())
  })

  it('change the language of the interface [AU-26, I18-03]', async () => {
    const { sent } = await draw(aServer())
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'Français')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('tab', { name: 'Préférences' })).toBeTruthy()
    expect(put(sent)?.body).toEqual({ language: 'fr' })
  })

  it('add, change and delete examples of writing [AU-26]', async () => {
    const { sent } = await draw(aServer({ writing_style_examples: ['First text here'] }))
    await userEvent.click(await screen.findByRole('button', { name: 'Add an example' }))
    await userEvent.type(screen.getByRole('textbox', { name: 'Example 2' }), 'Second')
    await userEvent.click(screen.getByRole('button', { name: 'Delete example 1' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(put(sent)?.body).toEqual({ writing_style_examples: ['Second'] }))
  })

  it('can be discarded, and preserve edits if saving fails [AU-26]', async () => {
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

  it('apply the theme of this device immediately [SH-03]', async () => {
    const { sent } = await draw(aServer())
    await userEvent.click(await screen.findByRole('radio', { name: 'Dark' }))
    expect(document.documentElement.dataset.theme).toBe('dark')
    expect(localStorage.getItem('darkMode')).toBe('true')
    await userEvent.click(screen.getByRole('radio', { name: 'Like the system' }))
    expect(localStorage.getItem('darkMode')).toBeNull()
    expect(put(sent)).toBeUndefined()
  })
})

describe('profile', () => {
  it('changes the name with the other settings [AU-26]', async () => {
    const { sent } = await draw(aServer())
    const name = await screen.findByRole('textbox', { name: 'Name' })
    await userEvent.clear(name)
    await userEvent.type(name, ' Claire D. ')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(put(sent)?.body).toEqual({ full_name: 'Claire D.' }))
  })

  it('changes the address with the password, and says where the link was sent', async () => {
    const answers = aServer(
      {},
      { 'POST /users/me/change-email': () => ({ message: 'Mailed', verification_required: true }) },
    )
    const { sent } = await draw(answers)
    await userEvent.click(await screen.findByRole('button', { name: 'Change the address' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save the address' }))
    expect(screen.getByText('Type an address, such as claire@example.com.')).toBeTruthy()
    await userEvent.type(screen.getByRole('textbox', { name: 'New address' }), 'claire@new.example')
    await userEvent.type(screen.getByLabelText('Current password'), 'old-password{Enter}')
    expect(await screen.findByText(/A link is on its way to claire@new\.example/)).toBeTruthy()
    expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
      email: 'claire@new.example',
      current_password: 'old-password',
    })
  })

  it('shows errors of an address or a password at its field', async () => {
    const wrong = {
      detail: 'Wrong.',
      code: 'invalid',
      errors: [{ path: 'current_password', message: 'Not yours.' }],
    }
    await draw(aServer({}, { 'POST /users/me/change-email': () => [422, wrong] }))
    await userEvent.click(await screen.findByRole('button', { name: 'Change the address' }))
    await userEvent.type(screen.getByRole('textbox', { name: 'New address' }), 'claire@new.example{Enter}')
    expect(await screen.findByText('Not yours.')).toBeTruthy()
    expect(screen.getByLabelText('Current password').getAttribute('aria-invalid')).toBe('true')
  })

  it('reports a file that is not a picture, and removes the current one', async () => {
    const picture_id = '6f0c2f0e-52a5-4d5e-9d3e-0d9a2a1b7c12'
    const { sent } = await draw(
      aServer({ picture_id }, { 'DELETE /users/me/picture': () => aUser({ picture_id: null }) }),
    )
    // jsdom cannot decode pictures.
    await userEvent.upload(
      await screen.findByLabelText('Choose a picture', { selector: 'input' }),
      new File(['no'], 'a.png', { type: 'image/png' }),
    )
    expect((await screen.findByRole('alert')).textContent).toContain('could not be read as a picture')
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(sent.some(({ method }) => method === 'DELETE')).toBe(true))
  })
})

describe('security', () => {
  const fill = async (current: string, next: string, again: string) => {
    await userEvent.type(await screen.findByLabelText('Current password'), current)
    await userEvent.type(screen.getByLabelText('New password'), next)
    await userEvent.type(screen.getByLabelText('Confirm new password'), again)
    await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
  }

  it('checks the two rules of a password [AU-27, AU-10, AU-11, G-28]', async () => {
    const { sent } = await draw(aServer(), '/user/security')
    await fill('old-password', 'short', 'short')
    expect(screen.getByText('The password is too short.')).toBeTruthy()
    await userEvent.type(screen.getByLabelText('New password'), '-enough')
    expect(screen.getByText('The two passwords do not match.')).toBeTruthy()
    expect(sent.some(({ method }) => method === 'POST')).toBe(false)
  })

  it('sends both passwords and reports success [SV-84]', async () => {
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

  it('shows a wrong current password under its field [SV-84]', async () => {
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

  it('lists connected services and disconnects one after a confirmation [G-28]', async () => {
    const items = [
      {
        ...{ provider: 'google', name: 'Google', email: 'claire@gmail.com' },
        connected_at: '2026-11-03T08:00:00.000Z',
      },
    ]
    const answers = aServer(
      {},
      {
        'GET /users/me/sign-on-connections': () => ({ items, others: [], has_password: true }),
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

  it('connects a service after the person has proved their identity [SN-12]', async () => {
    let url = ''
    const others = [{ provider: 'oidc', name: 'Orsane' }]
    const answers = aServer(
      {},
      {
        'GET /users/me/sign-on-connections': () => ({ items: [], others, has_password: true }),
        'POST /users/me/sign-on-connections': () => {
          url = `${location.href}#to-the-service`
          return { url }
        },
      },
    )
    const { sent } = await draw(answers, '/user/security')
    await userEvent.click(await screen.findByRole('button', { name: 'Connect Orsane' }))
    const dialog = await screen.findByRole('dialog')
    await userEvent.type(within(dialog).getByLabelText('Current password'), 'old-password')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Connect' }))
    await waitFor(() => expect(location.href).toBe(url))
    expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
      provider: 'oidc',
      redirect_uri: `${location.origin}/user/security`,
      current_password: 'old-password',
    })
  })

  it('reports the outcome of connecting a service [SN-12]', async () => {
    await draw(aServer(), '/user/security?sso_error=connected_elsewhere')
    expect((await screen.findByRole('alert')).textContent).toBe(
      'The service was not connected. This account of the service is connected with another account here.',
    )
  })

  it('never offers to remove the only way to sign in, and lets a first password be set [G-28]', async () => {
    const items = [
      { provider: 'google', name: 'Google', email: null, connected_at: '2026-11-03T08:00:00.000Z' },
    ]
    const answers = aServer(
      {},
      {
        'GET /users/me/sign-on-connections': () => ({ items, others: [], has_password: false }),
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

  const aSignIn = (more: Partial<SignIn>): SignIn => ({
    ...{ id: crypto.randomUUID(), browser: 'Chrome', system: 'Windows', form: 'computer' },
    ...{ address: '86.71.20.14', created_at: '2026-11-01T08:00:00Z' },
    ...{ last_used_at: new Date(Date.now() - 2 * 3_600_000).toISOString(), current: false },
    ...more,
  })
  const phone = aSignIn({ browser: 'Safari', system: 'iPhone', form: 'phone' })
  /** A fake server that stores the sign-ins. */
  const signInServer = (given: SignIn[]) => {
    let items = given
    return aServer(
      {},
      {
        'GET /users/me/tokens': () => ({ items }),
        [`DELETE /users/me/tokens/${phone.id}`]: () => {
          items = items.filter(({ id }) => id !== phone.id)
          return { message: 'Gone' }
        },
        'DELETE /users/me/tokens': () => {
          items = items.filter(({ current }) => current)
          return { message: 'Gone' }
        },
      },
    )
  }

  it('shows where the person is signed in and ends one of the sign-ins [AU-27]', async () => {
    await draw(signInServer([aSignIn({ current: true }), phone]), '/user/security')
    const row = (await screen.findByText('Safari on iPhone')).closest('li') as HTMLElement
    expect(within(row).getAllByText(/2 hr\.? ago/).length).toBeGreaterThan(0)
    const own = screen.getByText('Chrome on Windows').closest('li') as HTMLElement
    expect(within(own).getByText('This device')).toBeTruthy()
    expect(within(own).queryByRole('button')).toBeNull()
    await userEvent.click(within(row).getByRole('button', { name: 'Sign out Safari on iPhone' }))
    await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull())
    expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull()
  })

  it('signs out everywhere else after a confirmation [AU-27]', async () => {
    const unknown = aSignIn({ browser: null, system: null, form: 'program' })
    const { sent } = await draw(signInServer([aSignIn({ current: true }), phone, unknown]), '/user/security')
    expect(await screen.findByText('Unknown device')).toBeTruthy()
    const name = 'Sign out everywhere else'
    await userEvent.click(screen.getByRole('button', { name }))
    expect(sent.some(({ method }) => method === 'DELETE')).toBe(false)
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }))
    await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull())
    expect(sent.find(({ method }) => method === 'DELETE')?.query.get('except')).toBe('this')
    expect(getToken()).not.toBeNull()
  })
})
