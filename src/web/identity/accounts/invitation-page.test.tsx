// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aServer, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(leaveApp)

const mailed = {
  ...{ company: 'Groupe Orsane', role: 'member', email: 'sofia@orsane.eu', invited_by: 'Marc Oyelaran' },
  expires_at: '2026-12-01T10:00:00Z',
}
const bearer = () => ({ access_token: 'fresh', token_type: 'bearer' })

describe('the invitation page', () => {
  it('creates an account with the invited address', async () => {
    const answers = aServer({
      'POST /invitations/read': () => mailed,
      'POST /users': () => [201, { message: 'Done', verification_required: false }],
      'POST /token': bearer,
    })
    const { called } = await renderApp('/login/invitation?token=secret', { answers })
    expect(await screen.findByText(/Marc Oyelaran invites you to Groupe Orsane/)).toBeTruthy()
    const email = screen.getByLabelText<HTMLInputElement>('E-mail')
    expect([email.value, email.readOnly]).toEqual(['sofia@orsane.eu', true])
    await user.type(screen.getByLabelText('Username'), 'sofia')
    await user.type(screen.getByLabelText('Password'), 'correct horse')
    await user.type(screen.getByLabelText('Confirm password'), 'correct horse')
    await user.click(screen.getByRole('button', { name: 'Create account' }))
    await waitFor(() => expect(called('POST /users')).toHaveLength(1))
    expect(called('POST /users')[0]?.body).toMatchObject({ email: 'sofia@orsane.eu', invitation: 'secret' })
  })

  it('adds an existing user to the company after they sign in', async () => {
    const answers = aServer({
      'POST /invitations/read': () => mailed,
      'POST /invitations/accept': () => ({ message: 'You have joined the company.' }),
      'POST /token': bearer,
    })
    const { called, hrefNow } = await renderApp('/login/invitation?token=secret', { answers })
    await user.click(await screen.findByRole('link', { name: 'Log in and join' }))
    await user.type(await screen.findByLabelText('E-mail or username'), 'sofia')
    await user.type(screen.getByLabelText('Password'), 'correct horse')
    await user.click(screen.getByRole('button', { name: 'Log in' }))
    await user.click(await screen.findByRole('button', { name: 'Join Groupe Orsane' }))
    await waitFor(() => expect(hrefNow()).toBe('/'))
    expect(called('POST /invitations/accept')[0]?.body).toEqual({ token: 'secret' })
  })

  it('says that an expired invitation is no longer valid', async () => {
    const answers = aServer({
      'POST /invitations/read': () => [400, { code: 'token_invalid', detail: 'x' }],
    })
    await renderApp('/login/invitation?token=old', { answers })
    expect((await screen.findByRole('alert')).textContent).toContain('has ended or was used')
  })
})

describe('the sign-up page', () => {
  it.each([
    ['invitation', 'Accounts are made by invitation here.'],
    ['closed', 'No accounts are made here at the moment.'],
  ])('explains under %s why there is no form', async (sign_up, text) => {
    const options = aServer()['GET /sign-in-options'] as () => object
    const answers = aServer({ 'GET /sign-in-options': () => ({ ...options(), sign_up }) })
    await renderApp('/login/signup', { answers })
    expect(await screen.findByText(text)).toBeTruthy()
    expect(screen.queryByLabelText('Username')).toBeNull()
    await user.click(screen.getByRole('link', { name: 'Log in' }))
    await screen.findByRole('button', { name: 'Log in' })
    expect(screen.queryByRole('link', { name: 'Create an account' })).toBeNull()
  })
})
