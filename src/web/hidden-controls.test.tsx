import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { User } from '#shared/identity/accounts/accounts.ts'
import type { Control } from '#shared/platform/controls.ts'
import { aBranch, aMessage } from '#tests/web/message-builder.ts'
import { aServer, leaveApp, prepareBrowser, renderApp, theSession } from '#tests/web/render-app.tsx'
import { aSession } from '#tests/web/session-builder.ts'
import { aUser } from '#tests/web/user-builder.ts'
import { showChange } from './api/user-events/show-change.ts'
import { queryClient } from './platform/lib/api/query-client.ts'
import { closeChatPanel, openPanel } from './platform/lib/chat-panel.ts'
import { setPaletteOpen } from './platform/lib/layout.ts'
import { isOpenTo } from './platform/lib/me/me.ts'

beforeEach(() => prepareBrowser())
afterEach(() => {
  setPaletteOpen(false)
  closeChatPanel()
  leaveApp()
})

const session = aSession({ title: 'Renewals', session_metadata: { agent_type: 'multi_turn' } })
const model = {
  ...{ id: 'm1', name: 'Sonnet', provider_name: 'Anthropic', local: false, context_tokens: 200_000 },
  ...{ input_price: 1, output_price: 2, tuning: ['effort'] },
}
const billing = {
  ...{ enabled: true, balance: 3, items: [], total: 0, page: 1, has_more: false },
  this_month: { amount: 1, calls: 1 },
}
const prompt = {
  ...{ kind: 'prompt', id: session.id, title: 'Kessler letter', detail: '/letter', is_archived: false },
  used_at: '2026-11-01T00:00:00.000Z',
}
const contextUse = {
  ...{ model_name: 'm1', window: 200_000, total: 20_000, is_estimated: false },
  parts: { messages: 20_000 },
}
const assistant = {
  ...{
    id: 'a1',
    name: 'Buyer',
    description: '',
    icon: null,
    instructions: '',
    system_prompt: '',
    status: 'draft',
  },
  ...{
    agent_type: 'multi_turn',
    model_name: null,
    temperature: null,
    example_prompts: [],
    documents: [],
    workspaces: [],
  },
  ...{
    tools: [],
    tool_versions: {},
    can_edit: true,
    can_share: true,
    can_hand_over: false,
    shared_by: null,
    shares: [],
  },
  ...{ version: 1, is_public: false, user_id: session.id, created_at: '2026-01-01T00:00:00.000Z' },
}
let hidden: Control[] = []
let role: 'member' | 'super_admin' = 'member'

async function open(path: string, isHidden: readonly Control[] = [], hasReply = false) {
  hidden = [...isHidden]
  const me = () => {
    const affiliation = { company: { id: session.id, name: 'Orsane' }, role: { name: role } }
    return aUser({
      id: session.id,
      hidden_controls: hidden,
      balance: 3,
      company_affiliations: [affiliation] as never,
    })
  }
  const empty = () => ({ items: [], total: 0, has_more: false })
  return renderApp(path, {
    token: 't',
    answers: aServer({
      ...theSession(session),
      ...(hasReply && {
        [`GET /sessions/${session.id}/active-branch`]: () => aBranch([asked, reply]),
        [`GET /sessions/${session.id}/context-use`]: () => ({ use: contextUse }),
      }),
      'GET /assistants/a1': () => assistant,
      'GET /users/me': me,
      'GET /available-models': () => [model, { ...model, id: 'm2', name: 'Opus' }],
      'GET /tools': () => [],
      'GET /mcp-servers': () => [],
      'GET /assistants': () => [],
      'GET /prompts': empty,
      'GET /schedules': empty,
      'GET /projects': empty,
      'GET /api-keys': empty,
      'GET /webhooks': empty,
      'GET /exports': empty,
      'GET /links': empty,
      'GET /palette': () => ({ items: [prompt] }),
      'GET /users/me/billing': () => billing,
      'GET /users/me/payments': () => ({ can_pay: true, items: [], total: 0, has_more: false }),
      'GET /users/me/billing/usage': () => ({ steps: [], models: [] }),
      'GET /users/me/budgets': empty,
    }),
  })
}
const query = (selector: string) => () => document.querySelector(selector)
const named = (role: string, name: RegExp) => () => screen.queryAllByRole(role, { name })[0] ?? null
const link = (href: string) => query(`nav a[href="${href}"]`)
const chat = `/chat/${session.id}`

type Place = {
  path: string
  find: () => Element | null
  as?: 'super_admin'
  /** The chat has a reply. */
  hasReply?: true
  before?: () => unknown
}

const press = (find: () => Element | null) => async () => {
  await waitFor(() => expect(find()).not.toBeNull(), { timeout: 5_000 })
  fireEvent.click(find() as Element)
}
const asked = aMessage({ id: 'm1', role: 'user', content: 'Which lease ends first?' })
const reply = aMessage({ id: 'm2', role: 'assistant', content: 'That of the harbour.', parent_id: 'm1' })
/** Selects the text of the reply. */
async function select() {
  const text = await screen.findByText('That of the harbour.', {}, { timeout: 5_000 })
  const range = document.createRange()
  range.selectNodeContents(text)
  Range.prototype.getClientRects = () => [new DOMRect(10, 10, 50, 10)] as never
  Range.prototype.getBoundingClientRect = () => new DOMRect(10, 10, 50, 10)
  getSelection()?.removeAllRanges()
  getSelection()?.addRange(range)
  fireEvent(document, new Event('selectionchange'))
  fireEvent.pointerUp(text)
}

/** A place of each control. */
const places: Record<Control, Place> = {
  home: { path: '/tools', find: link('/home') },
  tours: { path: '/tools', find: query('button[aria-label="Help and tours"]') },
  connectors: {
    path: '/documents',
    find: named('menuitem', /^Connect a source/),
    before: press(query('[data-tour="upload"]')),
  },
  compare_models: {
    path: chat,
    find: () => screen.queryByText('Compare models'),
    before: press(named('button', /^Model/)),
  },
  deep_research: {
    path: chat,
    find: () => screen.queryByText(/^Deep research/i),
    before: press(named('button', /^Way of working|^Agent/)),
  },
  temporary_chats: { path: chat, find: named('switch', /temporary/i) },
  feedback: { path: chat, hasReply: true, find: query('.message .lucide-thumbs-up') },
  context_gauge: { path: chat, hasReply: true, find: named('button', /of the model’s window used/) },
  selected_text: { path: chat, hasReply: true, find: query('[role="toolbar"][aria-label]'), before: select },
  embeds: { path: '/assistant/a1/edit', find: named('tab', /embed|pages/i) },
  documents: { path: '/tools', find: link('/documents') },
  assistant: { path: '/tools', find: link('/assistant') },
  prompts: { path: '/tools', find: link('/prompts') },
  schedules: { path: '/tools', find: link('/schedules') },
  tools: { path: '/prompts', find: link('/tools') },
  debug: { path: '/tools', find: link('/debug'), as: 'super_admin' },
  model_picker: { path: chat, find: named('button', /^Model/) },
  agent_picker: { path: chat, find: named('button', /^Way of working|^Agent/) },
  tuning: { path: chat, find: query('[data-composer] .lucide-sliders-horizontal') },
  assistant_picker: { path: chat, find: query('[data-composer] .lucide-bot') },
  uploads: { path: chat, find: query('[data-composer] .lucide-paperclip') },
  transcription: { path: chat, find: query('[data-composer] .lucide-mic') },
  chat_tools: { path: chat, find: named('button', /^Tools/), before: () => openPanel('context') },
  memory: { path: chat, find: named('button', /^Memory/), before: () => openPanel('context') },
  create_project: { path: '/tools', find: named('button', /^New project/) },
  create_assistant: { path: '/assistant', find: query('#main a[href="/assistant/create"]') },
  own_tools: { path: '/tools', find: query('#main a[href="/tools/create"]') },
  mcp_servers: { path: '/tools', find: query('#main a[href="/tools/servers"]') },
  import: { path: '/user/data', find: query('#main a[href^="/user/data/import"]') },
  api_keys: { path: '/user/keys', find: named('heading', /keys/i) },
  webhooks: { path: '/user/keys', find: named('heading', /webhooks/i) },
  exports: { path: '/user/data', find: named('heading', /All that is yours/) },
  links: { path: '/user/data', find: named('heading', /^Links/) },
  top_up: { path: '/user/billing', find: query('section[aria-labelledby="balance"] :is(form, button)') },
}

describe('hidden control', () => {
  it.each(Object.entries(places))(
    '%s leaves open tabs at once, and returns [GV-08]',
    async (control, place) => {
      role = place.as ?? 'member'
      await open(place.path, [], place.hasReply)
      await place.before?.()
      await waitFor(() => expect(place.find()).not.toBeNull(), { timeout: 5_000 })
      hidden = [control as Control]
      showChange({ event: 'grants_changed' })
      await waitFor(() => expect(place.find()).toBeNull())
      hidden = []
      showChange({ event: 'grants_changed' })
      await waitFor(() => expect(place.find()).not.toBeNull())
    },
  )
})

describe('page of a hidden control', () => {
  const addresses: [string, Control][] = [
    ['/home', 'home'],
    ['/documents', 'documents'],
    ['/assistant', 'assistant'],
    ['/assistant/create', 'create_assistant'],
    ['/prompts', 'prompts'],
    ['/prompts/create', 'prompts'],
    ['/schedules', 'schedules'],
    ['/schedules/create', 'schedules'],
    ['/tools', 'tools'],
    ['/tools/create', 'own_tools'],
    ['/tools/servers', 'mcp_servers'],
    ['/memory', 'memory'],
    ['/user/keys', 'api_keys'],
    ['/user/data/import', 'import'],
    ['/documents/connectors', 'connectors'],
  ]
  it.each(addresses)('says in one sentence that %s is hidden [GV-08]', async (path, control) => {
    role = 'member'
    await open(path, control === 'api_keys' ? ['api_keys', 'webhooks'] : [control])
    expect(await screen.findByRole('heading', { name: 'This is hidden from you' })).toBeTruthy()
  })

  it.each([false, true])(
    'leaves the tab in which it is open, unless something was typed: %s [GV-08]',
    async (hasTyped) => {
      role = 'member'
      await open('/prompts/create')
      const field = () =>
        screen.queryAllByRole('textbox').find((one) => one.closest('#main')) as HTMLInputElement | undefined
      await waitFor(() => expect(field()).toBeDefined(), { timeout: 5_000 })
      if (hasTyped) fireEvent.input(field()!, { target: { value: 'Half a thought' } })
      hidden = ['prompts']
      showChange({ event: 'grants_changed' })
      await waitFor(() => expect(link('/prompts')()).toBeNull())
      const heading = () => screen.queryByRole('heading', { name: 'This is hidden from you' })
      if (!hasTyped) return waitFor(() => expect(heading()).not.toBeNull())
      expect(field()?.value).toBe('Half a thought')
      expect(heading()).toBeNull()
    },
  )

  it('leaves the keys until the person leaves, once they typed the name of one [GV-08]', async () => {
    role = 'member'
    await open('/user/keys')
    const find = named('heading', /keys/i)
    await waitFor(() => expect(find()).not.toBeNull(), { timeout: 5_000 })
    fireEvent.click(screen.getByRole('button', { name: 'Create key' }))
    fireEvent.input((await screen.findByRole('dialog')).querySelector('input') as Element)
    hidden = ['api_keys', 'memory']
    showChange({ event: 'grants_changed' })
    await waitFor(() => expect(isOpenTo(queryClient.getQueryData(['me']) as User, 'api_keys')).toBe(false))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(screen.queryByRole('dialog')).not.toBeNull()
  })

  it('is not in the palette, nor are the prompts and assistants on it [GV-08]', async () => {
    role = 'member'
    await open('/tools', [])
    await screen.findByRole('navigation', { name: 'Main' })
    fireEvent.keyDown(window, { key: 'k', ctrlKey: true })
    const field = await screen.findByRole('combobox', { name: 'Search or run a command' })
    fireEvent.change(field, { target: { value: 'mem' } })
    const names = () => screen.queryAllByRole('option').map(({ textContent }) => textContent ?? '')
    const found = () => names().filter((name) => /^(Memory|Kessler letter)/.test(name)).length
    // One is the setting of the memory, which stays.
    await waitFor(() => expect(found()).toBe(3), { timeout: 5_000 })
    hidden = ['prompts', 'memory']
    showChange({ event: 'grants_changed' })
    await waitFor(() => expect(found()).toBe(1))
  })
})
