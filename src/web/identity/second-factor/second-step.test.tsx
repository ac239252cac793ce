// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aServer, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import { getToken } from '../../platform/lib/me/token.ts'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(leaveApp)

const step = (factors: string[]) => () => ({ second_step: { ticket: 'slip', factors } })
const bearer = { access_token: 'fresh', token_type: 'bearer' }

async function logIn(factors: string[], answers: Parameters<typeof aServer>[0] = {}) {
  const app = await renderApp('/login', { answers: aServer({ 'POST /token': step(factors), ...answers }) })
  await user.type(await screen.findByLabelText('E-mail or username'), 'claire')
  await user.type(screen.getByLabelText('Password'), 'secret-1')
  await user.click(screen.getByRole('button', { name: 'Log in' }))
  return app
}

describe('the second step', () => {
  it('asks for an authenticator code and reports a wrong one', async () => {
    const { called } = await logIn(['app', 'recovery_code'], {
      'POST /token/second-factor': ({ body }) =>
        (body as { code: string }).code === '123456' ? bearer : [422, { code: 'invalid', detail: 'x' }],
    })
    const code = await screen.findByLabelText('Code of the app')
    expect(getToken()).toBeNull()
    await user.type(code, '000000{Enter}')
    expect(await screen.findByText('The code is wrong, or was used already.')).toBeTruthy()
    await user.clear(code)
    await user.type(code, '123456{Enter}')
    await waitFor(() => expect(getToken()).toBe('fresh'))
    expect(called('POST /token/second-factor').at(-1)?.body).toEqual({ ticket: 'slip', code: '123456' })
  })

  it('accepts a recovery code instead, and can be restarted', async () => {
    const { called } = await logIn(['app', 'recovery_code'], { 'POST /token/second-factor': () => bearer })
    await user.click(await screen.findByRole('button', { name: 'Begin again' }))
    await user.type(await screen.findByLabelText('E-mail or username'), 'claire')
    await user.type(screen.getByLabelText('Password'), 'secret-1{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Use a recovery code' }))
    await user.type(await screen.findByLabelText('Recovery code'), 'ABCD-EFGH-JKMN-PQRS{Enter}')
    await waitFor(() => expect(getToken()).toBe('fresh'))
    expect(called('POST /token/second-factor')[0]?.body).toMatchObject({ code: 'ABCD-EFGH-JKMN-PQRS' })
  })

  it('sets up a required second factor and shows the recovery codes before opening the app', async () => {
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    await logIn([], {
      'POST /token/second-factor/app': () => ({ secret, uri: `otpauth://totp/Atrium:c?secret=${secret}` }),
      'POST /token/second-factor/app/confirm': () => ({ ...bearer, recovery_codes: ['ABCD-EFGH-JKMN-PQRS'] }),
    })
    expect(await screen.findByRole('heading', { name: 'Set up two-step sign-in' })).toBeTruthy()
    expect(await screen.findByRole('img', { name: 'QR code for the code app' })).toBeTruthy()
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeTruthy()
    await user.type(screen.getByLabelText('Code of the app'), '123456{Enter}')
    expect(await screen.findByText('ABCD-EFGH-JKMN-PQRS')).toBeTruthy()
    expect(getToken()).toBeNull()
    await user.click(screen.getByRole('button', { name: 'I have kept them' }))
    await waitFor(() => expect(getToken()).toBe('fresh'))
  })
})
