import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { aRequest } from '#tests/web/request-builder.ts'
import { RequestDock } from '../request-dock.tsx'

afterEach(leavePage)

const path = '/sessions/s1/provide-input'

async function dock(request: ReturnType<typeof aRequest>) {
  const page = await renderPage(
    <RequestDock sessionId="s1" requests={[request]} onSettled={() => undefined} />,
    { answers: { [`POST ${path}`]: () => ({ status: 'accepted' }) } },
  )
  const bodies = () => page.sent.filter((call) => call.path === path).map(({ body }) => body)
  return { user: userEvent.setup(), bodies }
}

describe('plan to approve', () => {
  const plan = () =>
    aRequest({
      id: crypto.randomUUID(),
      checkpoint_name: 'waiting_for_input_plan',
      prompt: 'This is the plan.',
      fields: [{ name: 'questions', label: 'Questions', type: 'text', required: true, value: 'Deep?\nOld?' }],
    })

  it('offers a plan for approval as it is [XB-14]', async () => {
    const { user, bodies } = await dock(plan())
    await screen.findByText('Approval needed', { selector: '[role=status]' })
    const lines = within(screen.getByRole('list', { name: 'Questions' })).getAllByRole('listitem')
    expect(lines.map(({ textContent }) => textContent)).toEqual(['Deep?', 'Old?'])
    expect(screen.queryByRole('textbox')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Approve the plan' }))
    await waitFor(() => expect(bodies()[0]).toMatchObject({ input: 'Deep?\nOld?', input_type: 'text' }))
  })

  it('lets the person change a plan before approving it, or keep the proposed one [XB-14]', async () => {
    const { user, bodies } = await dock(plan())
    await user.click(screen.getByRole('button', { name: 'Change it' }))
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: /Questions/ })
    await user.clear(field)
    expect(screen.getByRole('button', { name: /^Approve/ }).hasAttribute('disabled')).toBe(true)
    await user.type(field, 'New?')
    await user.click(screen.getByRole('button', { name: 'Discard changes' }))
    expect(screen.getByRole('button', { name: 'Approve the plan' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Change it' }))
    await user.type(screen.getByRole('textbox', { name: /Questions/ }), '\nNew?')
    await user.click(screen.getByRole('button', { name: 'Approve the changed plan' }))
    await waitFor(() => expect(bodies()[0]).toMatchObject({ input: 'Deep?\nOld?\nNew?' }))
  })
})
