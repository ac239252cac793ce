import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { aServer, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import type { Answers } from '#tests/web/render-page.tsx'
import { aTool } from '#tests/web/tool-builder.ts'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(() => leaveApp())

const idOf = (n: number) => `22222222-2222-4222-8222-00000000000${n}`
const anAssistant = (n: number, name: string, patch: Partial<Assistant> = {}): Assistant => ({
  ...{ id: idOf(n), name, description: '', icon: null, agent_type: 'multi_turn', model_name: null },
  ...{
    system_prompt: '',
    example_prompts: [],
    temperature: null,
    documents: [],
    workspaces: [],
    tools: null,
  },
  ...{ can_share: true, can_hand_over: false, shared_by: null, shares: [], version: 1 },
  ...{ status: 'published', shared: false, own: true, built_in: false, can_edit: true },
  ...{ document_count: 0, tool_count: null, created_at: null, updated_at: null, ...patch },
})
const buyer = anAssistant(1, 'Buyer')
const researcher = anAssistant(2, 'Researcher', { own: false, built_in: true, can_edit: false })

/** Opens a page with a fake server that stores these assistants. */
function open(path: string, { assistants = [buyer, researcher], more = {} as Answers } = {}) {
  const one = (assistant: Assistant): Answers => ({
    [`GET /assistants/${assistant.id}`]: () => assistant,
    [`PUT /assistants/${assistant.id}`]: ({ body }) => ({ ...assistant, ...(body as object) }),
    [`DELETE /assistants/${assistant.id}`]: () => ({ message: 'The assistant was deleted.' }),
  })
  const answers = aServer({
    'GET /assistants': () => assistants,
    'POST /assistants': ({ body }) => [201, anAssistant(9, 'New', body as object)],
    'GET /tools': () => [aTool({ id: 'calculator', ui_name: 'calculator' })],
    'GET /available-models': () => [],
    ...Object.assign({}, ...assistants.map(one)),
    ...more,
  })
  return renderApp(path, { token: 't', answers })
}
const names = () =>
  within(screen.getByRole('main'))
    .getAllByRole('heading', { level: 2 })
    .map(({ textContent }) => textContent)
const editor = (section = '') => open(`/assistant/${buyer.id}/edit${section}`)
const fails = [422, { detail: 'No.', code: 'invalid' }]
/** Both on the page and in a toast. */
const saidTwice = (text: string) => waitFor(() => expect(screen.getAllByText(text)).toHaveLength(2))

describe('list of assistants', () => {
  it('shows each with its name, and links to it, to a new one and to its form [AS-01]', async () => {
    const { router, sent } = await open('/assistant')
    expect(await screen.findByRole('link', { name: 'Buyer' })).toBeTruthy()
    expect(names()).toEqual(['Buyer', 'Researcher'])
    await user.click(screen.getByRole('link', { name: 'Buyer' }))
    expect(router.state.location.pathname).toBe(`/assistant/${buyer.id}`)
    await user.click(await screen.findByRole('link', { name: 'Edit' }))
    expect(router.state.location.pathname).toBe(`/assistant/${buyer.id}/edit`)
    const name = await screen.findByRole('textbox', { name: 'Name' })
    await user.clear(name)
    await user.type(name, 'Senior buyer')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'PUT')?.body).toMatchObject({ name: 'Senior buyer' }),
    )
  })

  it('puts a new one at the top [AS-02]', async () => {
    const { router, sent } = await open('/assistant')
    await user.click((await screen.findAllByRole('link', { name: 'New assistant' }))[0]!)
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Desk')
    await user.click(screen.getByRole('button', { name: 'Create' }))
    await waitFor(() => expect(router.state.location.pathname).toBe(`/assistant/${idOf(9)}`))
    expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({
      name: 'Desk',
      status: 'published',
    })
    const reads = () => sent.filter(({ path }) => path === '/assistants').length
    const before = reads()
    await user.click(screen.getByRole('link', { name: 'All assistants' }))
    expect(names()).toEqual(['Desk', 'Buyer', 'Researcher'])
    expect(reads()).toBe(before)
  })

  it('deletes one after a confirmation, and says so [AS-01, AS-05]', async () => {
    const { sent } = await open('/assistant')
    await user.click(await screen.findByRole('button', { name: 'More about Buyer' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = await screen.findByRole('dialog')
    expect(sent.some(({ method }) => method === 'DELETE')).toBe(false)
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Assistant deleted successfully')).toBeTruthy()
    expect(names()).toEqual(['Researcher'])
  })

  it('renames and deletes one from its menu, which also opens on right click [SH-27]', async () => {
    const { sent } = await open('/assistant')
    const card = (await screen.findByRole('link', { name: 'Buyer' })).closest('li') as HTMLElement
    fireEvent.contextMenu(card)
    const entries = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
    expect(entries).toEqual(['Edit', 'Rename', 'Share', 'Duplicate', 'Delete'])
    await user.click(screen.getByRole('menuitem', { name: 'Rename' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename “Buyer”' }))
    await user.clear(dialog.getByRole('textbox', { name: 'Name' }))
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Senior buyer{Enter}')
    expect(await screen.findByRole('link', { name: 'Senior buyer' })).toBeTruthy()
    expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({ name: 'Senior buyer' })
  })

  it('says if they, or one of them, could not be loaded [AS-06]', async () => {
    await open('/assistant', { more: { 'GET /assistants': () => fails } })
    await saidTwice('Failed to load assistants')
    leaveApp()
    await open(`/assistant/${buyer.id}`, { more: { [`GET /assistants/${buyer.id}`]: () => fails } })
    await saidTwice('Failed to load assistant details')
  })
})

describe('form of an assistant', () => {
  it('has prompts, files and tools with their own addresses, and a switch for advanced settings [AS-04]', async () => {
    const { router } = await editor()
    expect(
      (await screen.findAllByRole('tab')).map(({ textContent }) => textContent?.replace(/\d/g, '')),
    ).toEqual(['Prompts', 'Files', 'Tools', 'Versions', 'Mail', 'Embed'])
    expect(screen.queryByRole('slider')).toBeNull()
    await user.click(screen.getByRole('switch', { name: /Advanced settings/ }))
    expect(screen.getByRole('slider', { name: /Temperature/ })).toBeTruthy()
    await user.click(screen.getByRole('switch', { name: /Advanced settings/ }))
    expect(screen.queryByRole('slider')).toBeNull()
    await user.click(screen.getByRole('tab', { name: /Tools/ }))
    await waitFor(() => expect(router.state.location.pathname).toBe(`/assistant/${buyer.id}/edit/tools`))
    expect(await screen.findByRole('switch', { name: /All tools/ })).toBeTruthy()
    await user.click(screen.getByRole('tab', { name: /Files/ }))
    expect(await screen.findByRole('button', { name: 'Upload files' })).toBeTruthy()
  })

  it('saves a draft with only a name, which is required [AS-04]', async () => {
    const { sent, router } = await open('/assistant/create')
    await user.click(await screen.findByRole('button', { name: 'Save draft' }))
    expect(screen.getByText('An assistant needs a name.')).toBeTruthy()
    expect(sent.some(({ method }) => method === 'POST')).toBe(false)
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Desk')
    await user.click(screen.getByRole('button', { name: 'Save draft' }))
    await waitFor(() => expect(router.state.location.pathname).toBe(`/assistant/${idOf(9)}/edit`))
    expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({
      name: 'Desk',
      status: 'draft',
    })
  })

  it('says that an assistant was created or updated [AS-05]', async () => {
    await open('/assistant/create')
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Desk')
    await user.click(screen.getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('Assistant created successfully')).toBeTruthy()
    leaveApp()
    await editor()
    await user.type(await screen.findByRole('textbox', { name: /Instructions/ }), 'Be brief.')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Assistant updated successfully')).toBeTruthy()
  })

  it('says that an assistant could not be created, updated or deleted, and keeps the edits [AS-06]', async () => {
    await open('/assistant/create', { more: { 'POST /assistants': () => fails } })
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Desk')
    await user.click(screen.getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('Failed to create assistant')).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Desk')
    leaveApp()
    const none = {
      [`PUT /assistants/${buyer.id}`]: () => fails,
      [`DELETE /assistants/${buyer.id}`]: () => fails,
    }
    await open(`/assistant/${buyer.id}/edit`, { more: none })
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), '!')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Failed to update assistant')).toBeTruthy()
    expect(screen.getByText('Unsaved changes')).toBeTruthy()
    leaveApp()
    await open(`/assistant/${buyer.id}`, { more: none })
    await user.click(await screen.findByRole('button', { name: 'More about Buyer' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Failed to delete assistant')).toBeTruthy()
  })

  it('preserves unsaved edits across a reload until they are discarded', async () => {
    await editor()
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' II')
    cleanup()
    await editor()
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })).value).toBe('Buyer II')
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Buyer')
  })

  it('is not shown to people who may not edit', async () => {
    await open(`/assistant/${researcher.id}/edit`)
    expect(await screen.findByText('This assistant is not yours to open')).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull()
  })
})

describe('tools of an assistant', () => {
  const assistant = { ...buyer, tools: ['calculator', '3f9a1c02-5d11-4a51-9c7e-000000000000'] }

  it('show the first characters of the id of one the person cannot view [TO-03]', async () => {
    await open(`/assistant/${buyer.id}/edit/tools`, { assistants: [assistant] })
    expect(await screen.findByText('Unavailable Tool 3f9a1c02')).toBeTruthy()
    expect(screen.getByText('You may not have permission to view this tool.')).toBeTruthy()
    leaveApp()
    await open(`/assistant/${buyer.id}`, { assistants: [assistant] })
    expect(await screen.findByText('Unavailable Tool 3f9a1c02')).toBeTruthy()
    expect(screen.getByText('You may not have permission to view this tool.')).toBeTruthy()
  })

  it('are a selection, or all', async () => {
    const { sent } = await open(`/assistant/${buyer.id}/edit/tools`, { assistants: [assistant] })
    await user.click(await screen.findByRole('switch', { name: 'Use Calculator' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const saved = () =>
      sent.filter(({ method }) => method === 'PUT').map(({ body }) => (body as Assistant).tools)
    await waitFor(() => expect(saved()).toEqual([['3f9a1c02-5d11-4a51-9c7e-000000000000']]))
    await user.click(screen.getByRole('switch', { name: /All tools/ }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(saved()[1]).toBeNull())
  })
})
