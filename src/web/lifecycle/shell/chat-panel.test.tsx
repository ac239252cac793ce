import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aServer, leaveApp, prepareBrowser, renderApp, theSession } from '#tests/web/render-app.tsx'
import type { Answers } from '#tests/web/render-page.tsx'
import { aSession } from '#tests/web/session-builder.ts'
import { aTool } from '#tests/web/tool-builder.ts'
import { messageStore, patchMessage } from '../../chat/messages/chat/message-store.ts'
import { closeChatPanel, useChatPanel } from '../../platform/lib/chat-panel.ts'
import { STORAGE_KEY } from '../../platform/lib/selected-tools.ts'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(() => {
  leaveApp()
  closeChatPanel()
})

const reply = (sessionId: string) => ({
  ...{ id: `reply-${sessionId}`, client_id: null, chat_session_id: sessionId, parent_id: null },
  ...{ role: 'assistant', content: 'Done.', agent_type: 'multi_turn', model_name: null, status: 'completed' },
  ...{ is_modified: false, metadata: {}, created_at: '2026-01-01T00:00:00Z' },
  blocks: [
    {
      ...{ type: 'tool', id: 'call', tool_id: 'web_lookup', tool_name: 'web_lookup', status: 'complete' },
      ...{ input: { query: 'rates' }, result: { hits: 3 }, error: null, events: [{ type: 'web_lookup' }] },
    },
    { type: 'text', id: 'text-1', text: 'Done.' },
  ],
})

async function openChat(more: Answers | ((id: string) => Answers) = {}) {
  const [first, second] = [aSession({ title: 'First' }), aSession({ title: 'Second' })]
  const branch = (id: string) => ({
    ...{ active_branch: [reply(id)], branch_id: id, total: 1, start: 0, has_more: false },
    ...{ forks: [], links: [], branch_number: 1, branch_count: 1 },
  })
  const answers = aServer({
    ...theSession(second),
    ...theSession(first),
    'GET /sessions': () => ({ items: [first, second], total: 2 }),
    [`GET /sessions/${first.id}/active-branch`]: () => branch(first.id),
    [`GET /sessions/${second.id}/active-branch`]: () => branch(second.id),
    'GET /tools': () => [aTool({ id: 'calculator' }), aTool({ id: 'web_lookup' })],
    'GET /tools/web_lookup': () => aTool({ id: 'web_lookup' }),
    ...(typeof more === 'function' ? more(first.id) : more),
  })
  const app = await renderApp(`/chat/${first.id}`, { token: 't', answers })
  return { ...app, first, second }
}

const openContext = async () => {
  await user.click(await screen.findByRole('button', { name: 'Context' }))
  return screen.findByRole('complementary', { name: 'Context' })
}
const openArtifact = async () => {
  await user.click(await screen.findByRole('button', { name: /open in the side panel/ }))
  return screen.findByRole('complementary', { name: 'Tool details' })
}
const width = (panel: HTMLElement) => panel.style.width

describe('right sidebar', () => {
  it('exists only in chat, closed by default and 300 wide [SH-09]', async () => {
    const { router } = await openChat()
    await screen.findByRole('button', { name: 'Context' })
    expect(screen.queryByRole('complementary', { name: 'Context' })).toBeNull()
    expect(width(await openContext())).toBe('300px')
    await router.navigate({ to: '/documents' })
    await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Context' })).toBeNull())
    expect(screen.queryByRole('button', { name: 'Context' })).toBeNull()
  }, 15_000)

  it('resizes between 300 and 800 by drag and by keyboard [SH-10]', async () => {
    await openChat()
    const panel = await openContext()
    const grip = within(panel).getByRole('separator')
    grip.setPointerCapture = () => undefined
    fireEvent.pointerDown(grip, { button: 0, clientX: 1000, pointerId: 1 })
    fireEvent.pointerMove(grip, { clientX: 900, pointerId: 1 })
    expect(width(panel)).toBe('400px')
    fireEvent.pointerMove(grip, { clientX: 0, pointerId: 1 })
    expect(width(panel)).toBe('800px')
    fireEvent.pointerMove(grip, { clientX: 2000, pointerId: 1 })
    expect(width(panel)).toBe('300px')
    fireEvent.pointerUp(grip)
    fireEvent.pointerMove(grip, { clientX: 100, pointerId: 1 })
    grip.focus()
    await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowRight}')
    expect(grip.getAttribute('aria-valuenow')).toBe('316')
    await user.keyboard('{End}')
    expect(width(panel)).toBe('800px')
    await user.keyboard('{Home}{ArrowRight}')
    expect(width(panel)).toBe('300px')
  })

  it('opens 600 wide on a tool step click and marks the step [SH-11, BL-06]', async () => {
    await openChat()
    const panel = await openArtifact()
    expect(width(panel)).toBe('600px')
    expect(await within(panel).findByRole('heading', { name: 'Web lookup' })).toBeTruthy()
    const step = screen.getByRole('button', { name: /open in the side panel/ })
    expect(step.getAttribute('aria-expanded')).toBe('true')
    expect(step.closest('section')?.className).toContain('border-accent')
  })

  it('returns to the default mode when closed [SH-12]', async () => {
    await openChat()
    const panel = await openArtifact()
    within(panel).getByRole('separator').focus()
    await user.keyboard('{ArrowLeft}')
    await user.click(await within(panel).findByRole('button', { name: 'Close panel' }))
    expect(screen.queryByRole('complementary', { name: 'Tool details' })).toBeNull()
    expect(width(await openContext())).toBe('300px')
  })

  it('returns to the default mode when the session changes [SH-12]', async () => {
    const { router, second } = await openChat()
    await openContext()
    await openArtifact()
    await router.navigate({ to: `/chat/${second.id}` })
    await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Tool details' })).toBeNull())
    expect(width(screen.getByRole('complementary', { name: 'Context' }))).toBe('300px')
    expect(useChatPanel.getState().subject).toBeNull()
  })

  it('closes on Escape inside it without stopping the run [SH-12]', async () => {
    const { called, first } = await openChat()
    const panel = await openArtifact()
    within(panel).getByRole('separator').focus()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Tool details' })).toBeNull())
    expect(called(`POST /sessions/${first.id}/stop`)).toHaveLength(0)
  })

  it('closes on Escape in the chat while no reply is being written [SH-12]', async () => {
    await openChat()
    await openArtifact()
    screen.getByRole('textbox').focus()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Tool details' })).toBeNull())
    // The context is not a panel, so it stays until it is closed.
    await openContext()
    screen.getByRole('textbox').focus()
    await user.keyboard('{Escape}')
    expect(screen.getByRole('complementary', { name: 'Context' })).toBeTruthy()
  })

  it('opens one section at a time [SH-13]', async () => {
    await openChat()
    const panel = await openContext()
    const tools = within(panel).getByRole('button', { name: /^Tools/ })
    expect(tools.getAttribute('aria-expanded')).toBe('false')
    await user.click(tools)
    expect(tools.getAttribute('aria-expanded')).toBe('true')
    const open = () =>
      within(panel)
        .getAllByRole('button')
        .filter((button) => button.getAttribute('aria-expanded') === 'true')
    expect(open()).toEqual([tools])
    for (const name of [/^Documents/, /^Working memory/, /^Knowledge/]) {
      const section = within(panel).getByRole('button', { name })
      await user.click(section)
      expect(open()).toEqual([section])
    }
    await user.click(open()[0] as HTMLElement)
    expect(open()).toEqual([])
  })

  it.each([
    ['Could not load tools.', 'GET /tools'],
    ['Could not load tools for this session.', 'GET /sessions/{id}/tools'],
  ])('says “%s” and loads them again on request [TO-19]', async (said, route) => {
    let fails = true
    const answer = { 'GET /tools': [aTool({ id: 'calculator' })] }[route] ?? { tool_ids: ['calculator'] }
    const failure = [500, { detail: 'x', code: 'internal' }]
    await openChat((id) => ({ [route.replace('{id}', id)]: () => (fails ? failure : answer) }))
    const panel = await openContext()
    await user.click(within(panel).getByRole('button', { name: /^Tools/ }))
    // In the panel and as a toast.
    await waitFor(() => expect(screen.getAllByText(said)).toHaveLength(2))
    fails = false
    await user.click(within(panel).getByRole('button', { name: 'Try again' }))
    expect(await within(panel).findByRole('button', { name: /Calculator/ })).toBeTruthy()
  })

  it('lists the tools of the session as list or grid; a click chooses one [SH-15, TO-02, MS-15, TO-05]', async () => {
    const { first } = await openChat()
    const panel = await openContext()
    await user.click(within(panel).getByRole('button', { name: /^Tools/ }))
    const calculator = await within(panel).findByRole('button', { name: /Calculator/ })
    expect(within(panel).getByRole('button', { name: /Web lookup/ })).toBeTruthy()
    await user.click(within(panel).getByRole('button', { name: 'As a grid' }))
    expect(calculator.closest('ul')?.className).toContain('grid')
    await user.click(within(panel).getByRole('button', { name: /Calculator/ }))
    expect(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '')).toEqual({ [first.id]: 'calculator' })
    await user.click(await screen.findByRole('button', { name: 'Do not use Calculator' }))
    expect(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '')).toEqual({})
  })

  it('reports that the tools cannot be loaded', async () => {
    await openChat({ 'GET /tools': () => [400, { code: 'malformed', detail: 'no' }] })
    const panel = await openContext()
    await user.click(await within(panel).findByRole('button', { name: /^Tools/ }))
    expect((await screen.findAllByText('Could not load tools.')).length).toBeGreaterThan(0)
    expect(within(panel).getByRole('button', { name: 'Try again' })).toBeTruthy()
  })

  it('follows a call of a tool while it is made [TO-27]', async () => {
    await openChat()
    const panel = await openArtifact()
    await within(panel).findByText('Completed')
    const [id = ''] = messageStore.getState().order
    const message = messageStore.getState().messagesById[id]
    const blocks = message?.blocks.map((block) =>
      block.type === 'tool' ? { ...block, status: 'processing' as const, result: null } : block,
    )
    act(() => patchMessage(id, { blocks: blocks ?? [] }))
    expect(await within(panel).findByText('Running')).toBeTruthy()
    expect(screen.getAllByText('Running').length).toBe(2)
  })

  it('is a sheet over the chat on phones', async () => {
    prepareBrowser({ isPhone: true })
    window.matchMedia = ((media: string) => ({
      ...{ matches: /max-width/.test(media), media, addEventListener() {}, removeEventListener() {} },
    })) as never
    await openChat()
    await user.click(await screen.findByRole('button', { name: 'Context' }))
    const sheet = await screen.findByRole('dialog', { name: 'Context' })
    await user.click(within(sheet).getByRole('button', { name: 'Close panel' }))
    await waitFor(() => expect(useChatPanel.getState().shown).toBeNull())
  })
})
