import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aServer, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import { getToken } from '../../platform/lib/me/token.ts'
import { TypingTitle } from './typing/typing-title.tsx'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(() => {
  vi.useRealTimers()
  leaveApp()
})

const refused = (status: number, code: string, detail: string) => () => [status, { code, detail }]
const fill = async (label: string | RegExp, text: string) =>
  user.type(await screen.findByLabelText(label), text)
const press = async (name: string) => user.click(await screen.findByRole('button', { name }))

async function logIn(answer: () => unknown, name = 'claire@orsane.eu') {
  const app = await renderApp('/login', { answers: aServer({ 'POST /token': answer }) })
  await fill('E-mail or username', name)
  await fill('Password', 'secret-1')
  await press('Log in')
  return app
}

describe('login', () => {
  it('posts name and password as a form, stores the token and opens the app [AU-02, AU-01]', async () => {
    const { called, hrefNow } = await logIn(() => ({ access_token: 'fresh', token_type: 'bearer' }))
    await waitFor(() => expect(getToken()).toBe('fresh'))
    expect(called('POST /token')[0]?.body).toEqual({ username: 'claire@orsane.eu', password: 'secret-1' })
    await waitFor(() => expect(hrefNow()).not.toContain('/login'))
  })

  it('returns to the requested page, including its query [RT-14]', async () => {
    const answers = aServer({ 'POST /token': () => ({ access_token: 'fresh', token_type: 'bearer' }) })
    const { hrefNow } = await renderApp('/tools?x=1', { answers })
    await fill('E-mail or username', 'claire')
    await fill('Password', 'secret-1')
    await press('Log in')
    await waitFor(() => expect(hrefNow()).toBe('/tools?x=1'))
  })

  it('remembers the requested page across the other login pages [RT-14]', async () => {
    const answers = aServer({ 'POST /token': () => ({ access_token: 'fresh', token_type: 'bearer' }) })
    const { hrefNow } = await renderApp('/tools', { answers })
    await user.click(await screen.findByRole('link', { name: 'Create an account' }))
    await user.click(await screen.findByRole('link', { name: 'Log in' }))
    await fill('E-mail or username', 'claire')
    await fill('Password', 'secret-1')
    await press('Log in')
    await waitFor(() => expect(hrefNow()).toBe('/tools'))
  })

  it('reports a failed login and preserves the typed values [AU-19]', async () => {
    await logIn(refused(401, 'wrong_credentials', 'Login failed. Please check your credentials.'))
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Login failed. Please check your credentials. ',
    )
    expect(screen.getByLabelText<HTMLInputElement>('E-mail or username').value).toBe('claire@orsane.eu')
    expect(screen.queryByRole('button', { name: /verification/ })).toBeNull()
  })

  it('offers to resend the verification mail [AU-18, AU-07, AU-16]', async () => {
    const { sent } = await logIn(refused(403, 'email_not_verified', 'Email not verified'))
    expect((await screen.findByRole('alert')).textContent).toContain('Email not verified')
    await press('Send the verification mail again')
    // The test server has no such route, so sending the mail fails.
    expect(await screen.findByText('The mail could not be sent. Try again in a minute.')).toBeTruthy()
    expect(sent.at(-1)).toMatchObject({
      path: '/users/resend-verification-email',
      body: { email: 'claire@orsane.eu' },
    })
  })

  it('asks for the address when only a username is known [AU-16]', async () => {
    await logIn(refused(403, 'email_not_verified', 'Email not verified'), 'claire')
    const alert = await screen.findByRole('alert')
    const button = within(alert).getByRole<HTMLButtonElement>('button')
    expect(button.disabled).toBe(true)
    await fill('Your e-mail address', 'c@o.eu')
    expect(button.disabled).toBe(false)
  })

  it('distinguishes a lost connection from a wrong password [AU-20]', async () => {
    await logIn(() => {
      throw new TypeError('Failed to fetch')
    })
    expect((await screen.findByRole('alert')).textContent).toContain('The server cannot be reached.')
  })

  it('hides the typing effect from assistive technology and gives it the full sentence [AU-03]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const phrase = 'Every answer opens.'
    const { container } = render(<TypingTitle phrases={[phrase, 'Another one.']} />)
    const typed = () => container.querySelector('p[aria-hidden]')?.textContent
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    const slack = 20
    expect(screen.getByText(phrase).className).toBe('sr-only')
    expect(typed()).toBe('')
    await pass(1500 + slack)
    expect(typed()).toBe('Every ans')
    await pass(1500)
    expect(typed()).toBe(phrase)
    await pass(10_000 - 2 * slack)
    expect(typed()).toBe(phrase)
    await pass(2 * slack + 25 * 10)
    expect(typed()).toBe('Every ans')
    await pass(25 * 9)
    expect(typed()).toBe('')
    await pass(1000 - 2 * slack)
    expect(typed()).toBe('')
    await pass(1500 + 2 * slack)
    expect(typed()).toBe('Anothe')
  })

  it('shows the typing title on the login page [AU-03]', async () => {
    const { container } = await renderApp('/login')
    const whole = await screen.findByText('Every answer opens at the page it came from.')
    expect(whole.className).toBe('sr-only')
    const typed = () => container.querySelector('p[aria-hidden]')?.textContent ?? ''
    await waitFor(() => expect(typed()).toMatch(/^Every/))
  })
})

describe('sign-up', () => {
  async function signUp(answer: () => unknown, options = {}) {
    const answers = aServer({ 'POST /users': answer, ...options })
    const app = await renderApp('/login/signup', { answers })
    await fill('Username', 'sofia')
    await fill('E-mail', 'sofia@orsane.eu')
    await fill('Password', 'long-enough')
    await fill('Confirm password', 'long-enough')
    return app
  }
  const created = () => [201, { message: 'Please check your email.', verification_required: true }]

  it('sends name, address, null for no full name, password and language, then shows check-email [AU-08]', async () => {
    const { called, hrefNow } = await signUp(created)
    await press('Create account')
    await waitFor(() => expect(hrefNow()).toBe('/login/check-email'))
    expect(called('POST /users')[0]?.body).toEqual({
      username: 'sofia',
      email: 'sofia@orsane.eu',
      full_name: null,
      password: 'long-enough',
      language: 'en',
    })
    expect(await screen.findByText('Please check your email.')).toBeTruthy()
    expect(screen.getByText('sofia@orsane.eu')).toBeTruthy()
  })

  it('signs in immediately when no email verification is required', async () => {
    const made = () => [201, { message: 'Account created.', verification_required: false }]
    const token = () => ({ access_token: 'new-here', token_type: 'bearer' })
    const { called, hrefNow } = await signUp(made, { 'POST /token': token })
    await press('Create account')
    await waitFor(() => expect(getToken()).toBe('new-here'))
    expect(called('POST /token')[0]?.body).toEqual({ username: 'sofia', password: 'long-enough' })
    await waitFor(() => expect(hrefNow()).toMatch(/^\/(chat.*)?$/))
  })

  it('opens first on an installation without accounts', async () => {
    const empty = {
      ...{ providers: [], verification_required: false, setup_code_required: false, first_account: true },
    }
    const { hrefNow } = await renderApp('/tools', {
      answers: aServer({ 'GET /sign-in-options': () => empty }),
    })
    await waitFor(() => expect(hrefNow()).toBe('/login/signup'))
    expect(await screen.findByRole('button', { name: 'Create account' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Log in' })).toBeNull()
  })

  it('requires username, email address and password before sending anything [AU-09, AU-11]', async () => {
    const { called } = await renderApp('/login/signup')
    await press('Create account')
    expect(screen.getAllByText('Please fill in this field.')).toHaveLength(3)
    expect(document.activeElement).toBe(screen.getByLabelText('Username'))
    expect(called('POST /users')).toEqual([])
  })

  it('reports invalid or mismatched passwords [AU-10, AU-11]', async () => {
    await renderApp('/login/signup')
    await fill('Password', 'short')
    await fill('Confirm password', 'other')
    await press('Create account')
    expect(screen.getByText('The password is too short.')).toBeTruthy()
    expect(screen.getByText('The passwords do not match.')).toBeTruthy()
  })

  it('shows under the field that a value is already taken [AU-23]', async () => {
    await signUp(refused(409, 'username_taken', 'Username already registered'))
    await press('Create account')
    expect(await screen.findByText(/Username already registered\./)).toBeTruthy()
    expect(screen.getByLabelText('Username').getAttribute('aria-invalid')).toBe('true')
  })

  it('reports a failed registration for any other reason [AU-23]', async () => {
    await signUp(refused(500, 'broken', 'Oops'))
    await press('Create account')
    expect((await screen.findByRole('alert')).textContent).toContain('The account could not be created.')
  })

  it('asks for the setup code when the server requires one, and sends it', async () => {
    let asked = 0
    const { called } = await signUp(() => {
      asked += 1
      return asked === 1
        ? [403, { code: 'setup_code_required', detail: 'A setup code is needed.' }]
        : created()
    })
    await press('Create account')
    await fill('Setup code', 'ABCD-1234')
    await press('Create account')
    await waitFor(() => expect(called('POST /users')).toHaveLength(2))
    expect(called('POST /users')[1]?.body).toMatchObject({ setup_code: 'ABCD-1234' })
  })
})

describe('pages that redirect', () => {
  /** Advances one second at a time, so that React renders each countdown value. */
  async function advance(ms: number) {
    for (let left = ms; left > 0; left -= 500)
      await act(() => vi.advanceTimersByTimeAsync(Math.min(left, 500)))
  }

  async function checkEmail() {
    const { router, ...app } = await renderApp('/login/signup')
    await act(() =>
      router.navigate({
        to: '/login/check-email',
        state: { message: 'Look into your mail.', email: 'a@b.eu' },
      }),
    )
    await screen.findByText('Look into your mail.')
    return app
  }

  it('shows message and address on check-email, then redirects to the login page after 7 s [RT-24]', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { hrefNow } = await checkEmail()
    expect(screen.getByText('a@b.eu')).toBeTruthy()
    await advance(6000)
    expect(hrefNow()).toBe('/login/check-email')
    await advance(1500)
    expect(hrefNow()).toBe('/login')
  })

  it('cancels the check-email redirect when the user chooses to stay [RT-24]', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { hrefNow } = await checkEmail()
    act(() => screen.getByRole('button', { name: 'Stay here' }).click())
    await advance(20_000)
    expect(hrefNow()).toBe('/login/check-email')
  })

  it('sends the address from forgot password and shows the answer [AU-12]', async () => {
    const answers = aServer({
      'POST /users/request-password-reset': () => ({ message: 'A link is on its way.' }),
    })
    const { called } = await renderApp('/login/forgot-password', { answers })
    await fill('E-mail', 'claire@orsane.eu')
    await press('Send the link')
    expect(await screen.findByText('A link is on its way.')).toBeTruthy()
    expect(called('POST /users/request-password-reset')[0]?.body).toEqual({ email: 'claire@orsane.eu' })
  })

  it('reports a failed forgot-password request [AU-12]', async () => {
    await renderApp('/login/forgot-password')
    await fill('E-mail', 'claire@orsane.eu')
    await press('Send the link')
    expect((await screen.findByRole('alert')).textContent).toContain('The link could not be sent.')
  })

  it('sends token and new password from reset, then redirects to the login page after 3 s [AU-13, AU-15]', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const answers = aServer({ 'POST /users/reset-password': () => ({ message: 'Changed.' }) })
    const { called, hrefNow } = await renderApp('/login/reset-password?token=007', { answers })
    await fill('New password', 'long-enough')
    await fill('Confirm new password', 'long-enough')
    await press('Save password')
    expect(await screen.findByText('Changed.')).toBeTruthy()
    expect(called('POST /users/reset-password')[0]?.body).toEqual({
      token: '007',
      new_password: 'long-enough',
    })
    await advance(2000)
    expect(hrefNow()).toContain('/login/reset-password')
    await advance(1500)
    expect(hrefNow()).toBe('/login')
  })

  it('reports a missing or rejected reset token [AU-13]', async () => {
    const { unmount } = await renderApp('/login/reset-password')
    expect((await screen.findByRole('alert')).textContent).toContain('This link is not complete.')
    unmount()
    const answers = aServer({ 'POST /users/reset-password': refused(400, 'token_invalid', 'no') })
    await renderApp('/login/reset-password?token=1', { answers })
    await fill('New password', 'long-enough')
    await fill('Confirm new password', 'long-enough')
    await press('Save password')
    expect((await screen.findByRole('alert')).textContent).toContain(
      'This link has expired or was used already.',
    )
  })

  it('sends the verification token once and redirects to the login page after 3 s [AU-14, AU-15]', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const answers = aServer({ 'POST /users/verify-email': () => ({ message: 'Confirmed.' }) })
    const { called, hrefNow } = await renderApp('/login/verify-email?token=v1', { answers })
    expect(await screen.findByText('Confirmed.')).toBeTruthy()
    expect(called('POST /users/verify-email').map(({ query }) => query.get('token'))).toEqual(['v1'])
    await advance(3500)
    expect(hrefNow()).toBe('/login')
  })

  it('reports a missing or rejected verification token [AU-14]', async () => {
    const { unmount } = await renderApp('/login/verify-email')
    expect((await screen.findByRole('alert')).textContent).toContain('This link is not complete.')
    unmount()
    await renderApp('/login/verify-email?token=v2')
    expect((await screen.findByRole('alert')).textContent).toContain(
      'This link has expired or was used already.',
    )
  })

  it('links from the login area to sign-up and forgot password [AU-07]', async () => {
    await renderApp('/login')
    expect(screen.getByRole('link', { name: 'Forgot password?' }).getAttribute('href')).toBe(
      '/login/forgot-password',
    )
    expect(screen.getByRole('link', { name: 'Create an account' }).getAttribute('href')).toBe('/login/signup')
  })
})
