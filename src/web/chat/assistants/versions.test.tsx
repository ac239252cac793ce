import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { aServer, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import type { Answers } from '#tests/web/render-page.tsx'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(() => leaveApp())

const id = '22222222-2222-4222-8222-000000000001'
const buyer: Assistant = {
  ...{ id, name: 'Buyer', description: '', icon: null, agent_type: 'multi_turn', model_name: null },
  ...{
    system_prompt: 'In euros.',
    example_prompts: [],
    temperature: 0.2,
    documents: [],
    workspaces: [],
    tools: null,
  },
  ...{ can_share: true, can_hand_over: false, shared_by: null, shares: [], version: 1 },
  ...{ status: 'published', shared: false, own: true, built_in: false, can_edit: true },
  ...{ document_count: 0, tool_count: null, created_at: null, updated_at: null },
}
const version = (number: number, changed: string[], returned_from: number | null = null) => ({
  ...{ version: number, changed, returned_from, saved_by: 'Ada', created_at: '2026-11-14T10:00:00Z' },
})
const { status: _, shared: __, ...content } = buyer
const file = { atrium: 'assistant', format: 1, ...content, name: 'Bail & foncier' }

const open = (path: string, more: Answers = {}) =>
  renderApp(path, {
    token: 't',
    answers: aServer({
      'GET /assistants': () => [buyer],
      [`GET /assistants/${id}`]: () => buyer,
      [`GET /assistants/${id}/missing`]: () => ({ model: null, tools: [], documents: 0 }),
      [`GET /assistants/${id}/versions`]: () => ({
        items: [version(3, ['temperature']), version(2, ['system_prompt', 'tools']), version(1, [])],
        has_more: false,
      }),
      [`GET /assistants/${id}/versions/compare`]: () => ({
        ...{ a: { ...content, temperature: 0.4 }, b: content, differs: ['system_prompt', 'temperature'] },
        instructions: [
          { kind: 'removed', text: 'In thousands.' },
          { kind: 'added', text: 'In euros.' },
        ],
      }),
      [`POST /assistants/${id}/versions/1/return`]: () => ({ ...buyer, temperature: 0.4 }),
      'GET /tools': () => [],
      'GET /available-models': () => [],
      ...more,
    }),
  })

describe('versions of an assistant', () => {
  it('are listed with their changes; two can be compared, and an older one restored', async () => {
    const { sent } = await open(`/assistant/${id}/edit/versions`)
    const boxes = await screen.findAllByRole('checkbox')
    expect(boxes.map((box) => box.closest('label')?.textContent)).toEqual([
      expect.stringMatching(/^v3In use.*TemperatureAda$/),
      expect.stringMatching(/^v2.*Instructions, ToolsAda$/),
      expect.stringMatching(/^v1.*First versionAda$/),
    ])
    expect(await screen.findByRole('heading', { name: 'v2 → v3' })).toBeTruthy()
    await user.click(boxes[0]!)
    await user.click(boxes[2]!)
    const compared = within(await screen.findByRole('region', { name: 'v1 → v3' }))
    expect(compared.getByText('2 differences')).toBeTruthy()
    expect(compared.getByRole('row', { name: 'Temperature 0.4 0.2' })).toBeTruthy()
    expect(compared.getByText('In thousands.').parentElement?.textContent).toContain('−')
    await user.click(compared.getByRole('button', { name: 'Return to v1' }))
    await screen.findByText('Returned to v1', {}, { timeout: 15_000 })
    expect(sent.some(({ method, path }) => method === 'POST' && path.endsWith('/versions/1/return'))).toBe(
      true,
    )
  })

  it('say if they could not be loaded', async () => {
    await open(`/assistant/${id}/edit/versions`, {
      [`GET /assistants/${id}/versions`]: () => [503, { detail: 'No.', code: 'unavailable' }],
    })
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
  })
})

describe('assistant as a file', () => {
  it('is duplicated and exported from its menu [XA-05]', async () => {
    const saved: string[] = []
    URL.createObjectURL = (blob) => {
      void (blob as Blob).text().then((text) => saved.push(text))
      return 'blob:1'
    }
    const { sent } = await open(`/assistant/${id}`, {
      [`GET /assistants/${id}/export`]: () => file,
      'POST /assistants': ({ body }) => [201, { ...buyer, ...(body as object) }],
    })
    await user.click(await screen.findByRole('button', { name: 'More about Buyer' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Export' }))
    await waitFor(() => expect(JSON.parse(saved[0] ?? 'null')).toEqual(JSON.parse(JSON.stringify(file))))
    await user.click(await screen.findByRole('button', { name: 'More about Buyer' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }))
    await waitFor(() =>
      expect(
        sent.find(({ method, path }) => method === 'POST' && path === '/assistants')?.body,
      ).toMatchObject({
        ...{ name: 'Buyer (copy)', status: 'draft', system_prompt: 'In euros.', copied_from: id },
      }),
    )
  })

  it('is imported from the list as a draft, with the missing parts listed [XA-05]', async () => {
    const { router, sent } = await open('/assistant', {
      'POST /assistants/import': () => [
        201,
        {
          assistant: { ...buyer, name: 'Bail & foncier', status: 'draft' },
          left_out: { model: 'mistral/large', tools: [{ id: 'x', name: 'Cadastre' }], documents: 2 },
        },
      ],
    })
    const input = await screen.findByLabelText<HTMLInputElement>('File of an assistant')
    await user.upload(input, new File(['{"atrium":"chat"}'], 'chat.json', { type: 'application/json' }))
    expect(await screen.findByText('chat.json is no file of an assistant')).toBeTruthy()
    await user.upload(input, new File([JSON.stringify(file)], 'bail.json', { type: 'application/json' }))
    const notice = (await screen.findByText('Imported as a draft, without:')).closest('[role=status]')
    expect(notice?.textContent).toContain('model mistral/large; tool Cadastre; 2 documents')
    await user.click(within(notice as HTMLElement).getByRole('link', { name: 'Edit' }))
    expect(sent.find(({ path }) => path === '/assistants/import')?.body).toMatchObject({
      name: 'Bail & foncier',
    })
    await waitFor(() => expect(router.state.location.pathname).toContain('/edit'))
  })

  it('lists the parts that the person may not use on its page [XA-09]', async () => {
    await open(`/assistant/${id}`, {
      [`GET /assistants/${id}/missing`]: () => ({
        ...{ model: 'gone/model', documents: 1 },
        tools: [
          { id: 'a', name: 'Cadastre' },
          { id: 'b', name: 'Score' },
        ],
      }),
    })
    expect(await screen.findByText('Not all of it is yours to use:')).toBeTruthy()
    expect(screen.getByText(/model gone\/model; 2 tools \(Cadastre, Score\); 1 document/)).toBeTruthy()
  })
})
