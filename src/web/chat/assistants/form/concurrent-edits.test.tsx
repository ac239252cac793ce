import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import type { Answers } from '#tests/web/render-page.tsx'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(() => leaveApp())

const id = '22222222-2222-4222-8222-000000000001'
const me = aUser({ role: 'company_admin' })
const other = {
  company_id: '22222222-2222-4222-8222-000000000009',
  company: 'Elsewhere',
  access: 'edit' as const,
}
const desk: Assistant = {
  ...{ id, name: 'Desk', description: '', icon: null, agent_type: 'multi_turn', model_name: null },
  ...{ system_prompt: 'Be brief.', example_prompts: [], temperature: null, documents: [], workspaces: [] },
  ...{ tools: null, status: 'published', shared: true, own: true, built_in: false, can_edit: true },
  ...{ can_share: true, can_hand_over: true, shared_by: null, shares: [other], version: 3 },
  ...{ document_count: 0, tool_count: null, created_at: null, updated_at: null },
}

const open = (assistant: () => Assistant, more: Answers = {}) =>
  renderApp(`/assistant/${id}/edit`, {
    token: 't',
    answers: aServer(
      {
        'GET /assistants': () => [assistant()],
        [`GET /assistants/${id}`]: assistant,
        'GET /tools': () => [],
        'GET /available-models': () => [],
        ...more,
      },
      me,
    ),
  })

it('shows a concurrent save with the conflicts, and saves nothing until they are resolved', async () => {
  let stored = desk
  const conflict = { code: 'conflict', detail: 'Inès saved version 4 meanwhile.' }
  const { called } = await open(() => stored, {
    [`PUT /assistants/${id}`]: ({ body }) => {
      const { version, ...wanted } = body as { version: number }
      if (version !== stored.version) return [409, conflict]
      stored = { ...stored, ...wanted, shares: [other], version: version + 1 }
      return stored
    },
    [`GET /assistants/${id}/versions`]: () => ({
      items: [
        {
          ...{ version: 4, saved_by: 'Inès', returned_from: null, created_at: '2026-11-24T10:00:00Z' },
          changed: ['system_prompt', 'description'],
        },
      ],
      has_more: false,
    }),
  })
  const instructions = () => screen.getByRole('textbox', { name: /^Instructions/ }) as HTMLTextAreaElement
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' two')
  await user.type(instructions(), ' And kind.')
  stored = { ...desk, system_prompt: 'Be quick.', description: 'Theirs', version: 4 }
  const save = () => screen.getByRole('button', { name: 'Save' }) as HTMLButtonElement
  await user.click(save())
  expect(await screen.findByText('Inès saved v4 while you were writing.')).toBeTruthy()
  expect(await screen.findByText(/You both changed: Instructions\./)).toBeTruthy()
  expect(instructions().value).toBe('Be brief. And kind.')
  expect(save().disabled).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Take theirs' }))
  expect(instructions().value).toBe('Be quick.')
  await user.click(save())
  await waitFor(() => expect(called(`PUT /assistants/${id}`)).toHaveLength(2))
  expect(called(`PUT /assistants/${id}`)[1]?.body).toMatchObject({
    ...{ version: 4, name: 'Desk two', system_prompt: 'Be quick.', description: 'Theirs' },
  })
})

it('can be transferred to people who may edit it', async () => {
  const heir = { id: '22222222-2222-4222-8222-000000000007', name: 'Inès Brunet', assistants: 1 }
  const { called } = await open(() => desk, {
    [`GET /assistants/${id}/shares`]: () => ({ items: [], may: { everybody: false, others: true } }),
    [`GET /assistants/${id}/heirs`]: () => [heir],
    [`POST /assistants/${id}/owner`]: () => ({ assistant: { ...desk, own: false } }),
  })
  await user.click(await screen.findByRole('button', { name: 'Share' }))
  await user.click(await screen.findByRole('button', { name: 'Hand over…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Hand “Desk” over' }))
  await waitFor(() => expect(dialog.getByRole('option', { name: 'Inès Brunet' })).toBeTruthy())
  await user.selectOptions(dialog.getByLabelText('New owner'), 'Inès Brunet')
  await user.click(dialog.getByRole('button', { name: 'Hand over' }))
  await waitFor(() => expect(called(`POST /assistants/${id}/owner`)[0]?.body).toEqual({ user_id: heir.id }))
})
