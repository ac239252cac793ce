import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aServer, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(leaveApp)

describe('the forgot-password page', () => {
  it('names a contact when the installation cannot send mail', async () => {
    const options = { providers: [], verification_required: false, setup_code_required: false }
    const answers = aServer({
      'GET /sign-in-options': () => ({ ...options, first_account: false, sends_mail: false }),
      'POST /users/request-password-reset': () => ({ message: 'A link is on its way.' }),
    })
    await renderApp('/login/forgot-password', { answers })
    expect(await screen.findByText(/sends no e-mail.*administrator/)).toBeTruthy()
    await user.type(screen.getByLabelText('E-mail'), 'claire@orsane.eu')
    await user.click(screen.getByRole('button', { name: 'Ask for a link' }))
    expect(await screen.findByText(/Ask your administrator for it\./)).toBeTruthy()
    expect(screen.queryByText('A link is on its way.')).toBeNull()
  })
})
