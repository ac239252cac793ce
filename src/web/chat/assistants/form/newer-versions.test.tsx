import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { aServer, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

beforeEach(() => prepareBrowser())
afterEach(() => leaveApp())

const id = '33333333-3333-4333-8333-333333333333'
const score = {
  ...{ id: 't1_score', kind: 'api', name: 't1_score', ui_name: 'Supplier score', description: 'Health.' },
  ...{ icon: null, ui_location: null, input_schema: { properties: {} }, example_responses: [] },
  ...{ repeatable: true, limit_seconds: 20, policy: 'auto', own: true, version: 3, account: null },
  ...{ price: 'unpriced', missing: [] },
}
const buyer = (held: number) => ({
  ...{ id, name: 'Buyer', description: '', icon: null, agent_type: 'multi_turn', model_name: null },
  ...{
    system_prompt: '',
    example_prompts: [],
    temperature: null,
    documents: [],
    workspaces: [],
    tools: [score.id],
  },
  ...{ can_share: true, can_hand_over: false, shared_by: null, shares: [], version: 1 },
  ...{ status: 'draft', shared: false, own: true, built_in: false, can_edit: true, document_count: 0 },
  ...{ tool_count: 1, created_at: null, updated_at: null, tool_versions: { [score.id]: held } },
})

it('offers newer versions of tools, and updates them on request', async () => {
  const { sent } = await renderApp(`/assistant/${id}/edit/tools`, {
    token: 't',
    answers: aServer({
      'GET /tools': () => [score],
      [`GET /assistants/${id}`]: () => buyer(1),
      [`PUT /assistants/${id}`]: () => buyer(3),
    }),
  })
  const user = userEvent.setup()
  expect(await screen.findByText(/^A tool has a newer version/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Use it' }))
  await waitFor(() => expect(screen.queryByText(/^A tool has a newer version/)).toBeNull())
  expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({ newest_tools: true })
})
