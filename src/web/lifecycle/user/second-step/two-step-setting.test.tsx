// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import type { getSecondFactors } from '#shared/identity/accounts/second-factor.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import type { Answer } from '../../../platform/lib/api/call.ts'
import { TwoStepSetting } from './two-step-setting.tsx'

const user = userEvent.setup()
afterEach(leavePage)

const none = { app_since: null, recovery_codes_left: 0, is_required: false }
const draw = (factors: Answer<typeof getSecondFactors>, answers: Answers) =>
  renderPage(<TwoStepSetting factors={factors} onChanged={() => undefined} />, {
    path: '/user/security',
    answers,
  })

describe('two-step sign-in', () => {
  it('is set up with the password, a scan and a code, and shows the recovery codes once', async () => {
    const { sent } = await draw(none, {
      'POST /users/me/second-factor/app': ({ body }) =>
        (body as { current_password?: string }).current_password === 'right'
          ? { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Atrium:c?secret=JBSWY3DPEHPK3PXP' }
          : [
              422,
              {
                code: 'invalid',
                detail: 'x',
                errors: [{ path: 'current_password', message: 'It is wrong.' }],
              },
            ],
      'POST /users/me/second-factor/app/confirm': () => ({ recovery_codes: ['ABCD-EFGH-JKMN-PQRS'] }),
    })
    await user.click(screen.getByRole('button', { name: 'Set up' }))
    await user.type(screen.getByLabelText('Current password'), 'wrong{Enter}')
    expect(await screen.findByText('It is wrong.')).toBeTruthy()
    await user.clear(screen.getByLabelText('Current password'))
    await user.type(screen.getByLabelText('Current password'), 'right{Enter}')
    await user.type(await screen.findByLabelText('Code of the app'), '123456{Enter}')
    expect(await screen.findByText('ABCD-EFGH-JKMN-PQRS')).toBeTruthy()
    expect(sent.at(-1)?.body).toEqual({ code: '123456' })
    await user.click(screen.getByRole('button', { name: 'I have kept them' }))
    await waitFor(() => expect(screen.queryByText('ABCD-EFGH-JKMN-PQRS')).toBeNull())
  })

  it('cannot be turned off when a company requires it', async () => {
    const on = { app_since: '2026-11-04T10:00:00Z', recovery_codes_left: 9, is_required: true }
    await draw(on, {})
    expect(screen.getByText('9 recovery codes left')).toBeTruthy()
    expect(screen.getByText('Your company wants it.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Turn off' })).toBeNull()
  })
})
