import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { aRequest } from '#tests/web/request-builder.ts'
import { RequestDock } from '../request-dock.tsx'

afterEach(leavePage)

const PATH = '/sessions/s1/provide-input'
const request = aRequest({
  ...{ kind: 'sign_in', input_types: ['boolean'], skippable: true },
  tool: {
    ...{ tool_execution_id: 'e1', tool_id: 'orders', tool_name: 'My orders', input: {} },
    account: { service: 'login.example', page: '/tools/orders' },
  },
})

async function open() {
  const page = await renderPage(<RequestDock sessionId="s1" requests={[request]} onSettled={vi.fn()} />, {
    answers: { [`POST ${PATH}`]: () => ({ status: 'accepted' }) },
  })
  const bodies = () => page.sent.filter(({ path }) => path === PATH).map(({ body }) => body)
  return { user: userEvent.setup(), bodies }
}

it('names the tool and the service, and leads to the page where the account is connected', async () => {
  await open()
  expect(
    screen.getByText(
      '“My orders” needs your account at login.example. Once you have signed in there, the reply continues.',
    ),
  ).toBeTruthy()
  const link = screen.getByRole('link', { name: 'Sign in' })
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/tools/orders', '_blank'])
})

it.each([
  ['Resume', { input: true, input_type: 'boolean' }],
  ['Continue without it', { input: null, input_type: 'skipped' }],
])('answers by “%s”', async (name, answer) => {
  const { user, bodies } = await open()
  await user.click(screen.getByRole('button', { name }))
  expect(bodies()).toEqual([{ checkpoint_name: request.checkpoint_name, ...answer }])
})
