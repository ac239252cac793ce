import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { aRequest } from '#tests/web/request-builder.ts'
import { RequestForm } from '../request-form.tsx'

afterEach(leavePage)

const tool = { tool_execution_id: 'e1', tool_id: 'orders', tool_name: 'My orders', input: {} }
const approver = { company_id: 'c1', by: null, deputy: null, deputy_from: null }

it.each([
  ['their own run', undefined, 3],
  ['the call of another person that they approve', approver, 2],
])('offers a person, for %s, what they may decide [AC-04]', async (_, named, choices) => {
  const request = aRequest({ kind: 'interrupted', tool, ...(named && { approver: named }) })
  const path = named ? '/tool-executions/e1/decide' : '/sessions/s1/provide-input'
  const page = await renderPage(
    <RequestForm
      sessionId="s1"
      request={request}
      onSettled={vi.fn()}
      frame={(_state, content) => <>{content}</>}
    />,
    { answers: { [`POST ${path}`]: () => ({ status: 'accepted' }) } },
  )
  const buttons = screen.getAllByRole('button')
  expect(buttons).toHaveLength(choices)
  await userEvent.setup().click(buttons.at(-1) as HTMLElement)
  expect(page.sent.find((one) => one.path === path)?.body).toMatchObject({ input: 'retry' })
})
