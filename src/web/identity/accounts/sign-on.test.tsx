import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aServer, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import { getToken } from '../../platform/lib/me/token.ts'

beforeEach(() => prepareBrowser())
afterEach(leaveApp)

const refused = (status: number, code: string, detail: string) => () => [status, { code, detail }]

describe('sign-on', () => {
  it('links to Google with a real link that returns to the login page [AU-04, AU-06]', async () => {
    await renderApp('/login')
    const link = await screen.findByRole('link', { name: 'Continue with Google' })
    expect(link.getAttribute('href')).toBe(
      `/api/v1/login/google?redirect_uri=${encodeURIComponent(`${location.origin}/login`)}`,
    )
  })

  it.each(['/login', '/login/signup'])(
    'shows nothing that cannot be used above the form at %s [AU-04]',
    async (path) => {
      await renderApp(path, { answers: offer([]) })
      const form = (await screen.findAllByRole('textbox'))[0]!.closest('form')!
      await screen.findByText(path === '/login' ? 'Coming soon' : 'Log in')
      expect(screen.queryByRole('button', { name: /Google/ })).toBeNull()
      expect(screen.queryByRole('list', { name: 'Sign on with' })).toBeNull()
      const names = screen.queryByText('Google')
      if (path === '/login')
        expect(form.compareDocumentPosition(names!)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
      else expect(names).toBeNull()
    },
  )

  it('offers no service for the first account', async () => {
    await renderApp('/login/signup', { answers: offer(['Google'], true) })
    expect(await screen.findByText('The first account runs this Atrium.')).toBeTruthy()
    expect(screen.queryByText(/Google/)).toBeNull()
    leaveApp()
    prepareBrowser()
    await renderApp('/login/signup', { answers: offer(['Google']) })
    expect(await screen.findByRole('link', { name: 'Continue with Google' })).toBeTruthy()
  })

  const offer = (available: string[], first_account = false) =>
    aServer({
      'GET /sign-in-options': () => ({
        providers: ['Google', 'Microsoft', 'GitHub', 'Apple', 'Facebook', 'SAML', ...available.slice(3)].map(
          (name) => ({ id: name.toLowerCase(), name, available: available.includes(name) }),
        ),
        ...{ verification_required: true, setup_code_required: false },
        ...{ first_account, sends_mail: true, sign_up: 'open' },
      }),
    })

  it('links to a provider that was set up in the administration [SN-01]', async () => {
    const own = [{ id: 'oidc-abcdefgh', name: 'Orsane SSO' }]
    await renderApp('/login', {
      answers: aServer({
        'GET /sign-in-options': () => ({
          ...{ providers: [], own_providers: own, verification_required: true, setup_code_required: false },
          ...{ first_account: false, sends_mail: true, sign_up: 'open' },
        }),
      }),
    })
    const link = await screen.findByRole('link', { name: 'Continue with Orsane SSO' })
    expect(link.getAttribute('href')).toContain('/api/v1/login/oidc-abcdefgh?redirect_uri=')
  })

  it('shows the other services as locked and coming soon [AU-05, R-03]', async () => {
    await renderApp('/login')
    await screen.findByRole('link', { name: 'Continue with Google' })
    const locked = screen.getByText('Coming soon').parentElement as HTMLElement
    const names = within(locked).getAllByRole('listitem')
    expect(names.map((item) => item.textContent)).toEqual([
      'Microsoft',
      'GitHub',
      'Apple',
      'Facebook',
      'SAML',
    ])
    expect(within(locked).queryByRole('link')).toBeNull()
  })

  it('shows a button for each configured service and locks the rest [AU-05, R-03, SN-01]', async () => {
    await renderApp('/login', { answers: offer(['Microsoft', 'GitHub', 'SAML', 'Orsane']) })
    const ways = await screen.findByRole('list', { name: 'Sign on with' })
    const links = within(ways).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('aria-label'))).toEqual(
      ['Microsoft', 'GitHub', 'SAML', 'Orsane'].map((name) => `Continue with ${name}`),
    )
    expect(links[1]?.getAttribute('href')).toContain('/api/v1/login/github?redirect_uri=')
    const locked = screen.getByText('Coming soon').parentElement as HTMLElement
    const names = within(locked).getAllByRole('listitem')
    expect(names.map((item) => item.textContent)).toEqual(['Google', 'Apple', 'Facebook'])
  })

  it('exchanges a returned code once and signs in [RT-21]', async () => {
    const answers = aServer({
      'POST /token/exchange': () => ({ access_token: 'from-google', token_type: 'bearer' }),
      'POST /sessions': () => new Promise(() => {}),
    })
    const { called, hrefNow } = await renderApp('/login?token=code-1', { answers })
    await waitFor(() => expect(getToken()).toBe('from-google'))
    expect(called('POST /token/exchange').map(({ body }) => body)).toEqual([{ code: 'code-1' }])
    await waitFor(() => expect(hrefNow()).not.toContain('code-1'))
  })

  it.each([
    ['sso_error=cancelled', 'The sign-on did not work. Try again or use your password. It was cancelled.'],
    [
      'sso_error=sign_in_first',
      'The sign-on did not work. Try again or use your password. An account with this e-mail address exists already. Log in with its password, then connect the service under Profile, Security.',
    ],
    ['error=access_denied', 'The sign-on did not work. Try again or use your password. '],
    ['sso_error=beta_required', 'Atrium is in a closed beta. Your account has no access yet. '],
  ])('shows the sign-on error: %s [RT-22, AU-22]', async (query, text) => {
    const { hrefNow } = await renderApp(`/login?${query}`)
    expect((await screen.findByRole('alert')).textContent).toBe(text)
    expect(hrefNow()).toBe('/login')
  })

  it('reports a rejected code [AU-22]', async () => {
    const answers = aServer({ 'POST /token/exchange': refused(400, 'token_invalid', 'Invalid code') })
    await renderApp('/login?token=code-2', { answers })
    expect((await screen.findByRole('alert')).textContent).toContain('The sign-on did not work.')
  })
})

describe('a page that was wanted', () => {
  const page = '/documents?type=pdf#top'
  const signedIn = () =>
    aServer({
      'POST /token/exchange': () => ({ access_token: 'from-google', token_type: 'bearer' }),
      'POST /sessions': () => new Promise(() => {}),
    })
  const returnTo = (from: string, more = 'token=code-9') => `/login?from=${encodeURIComponent(from)}&${more}`

  it('travels with a sign-on, and is opened afterwards', async () => {
    const { hrefNow } = await renderApp(page)
    const link = await screen.findByRole('link', { name: 'Continue with Google' })
    const target = new URL(
      new URL(link.getAttribute('href')!, location.origin).searchParams.get('redirect_uri')!,
    )
    expect(target.pathname).toBe('/login')
    expect(target.searchParams.get('from')).toBe(page)
    leaveApp()
    prepareBrowser()
    const { hrefNow: after } = await renderApp(`${target.pathname}${target.search}&token=code-8`, {
      answers: signedIn(),
    })
    await waitFor(() => expect(after()).toBe(page))
    expect(hrefNow()).toBe('/login')
  })

  it('is kept when the sign-on fails', async () => {
    await renderApp(returnTo(page, 'sso_error=cancelled'))
    const link = await screen.findByRole('link', { name: 'Continue with Google' })
    await waitFor(() =>
      expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain(encodeURIComponent(page)),
    )
  })

  it('is opened for who still has the token of an expired sign-in', async () => {
    localStorage.setItem('token', 'expired')
    const { hrefNow } = await renderApp(returnTo(page), { answers: signedIn() })
    await waitFor(() => expect(hrefNow()).toBe(page))
    expect(getToken()).toBe('from-google')
  })

  it.each([
    '//evil.example/x',
    '/\\evil.example',
    'https://evil.example/',
    '/\t/evil.example',
    'javascript:alert(1)',
  ])('never leads to another site: %j', async (from) => {
    const { hrefNow } = await renderApp(returnTo(from), { answers: signedIn() })
    await waitFor(() => expect(getToken()).toBe('from-google'))
    await waitFor(() => expect(hrefNow()).not.toContain('/login'))
    expect(hrefNow()).not.toContain('evil')
  })
})
