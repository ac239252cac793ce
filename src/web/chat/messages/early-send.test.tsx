import { useRouterState } from '@tanstack/react-router'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WrittenStream } from '#tests/web/event-builder.ts'
import { aBranch, aChat } from '#tests/web/message-builder.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { leaveRun } from '../../runs/runs/runs.ts'
import { keepDraft, readDraft } from '../composer/composer.tsx'
import { messageStore, resetMessages } from './chat/message-store.ts'
import { ChatView } from './chat-view.tsx'

beforeAll(() => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    ...{ matches: query !== '(pointer: coarse)', addEventListener() {}, removeEventListener() {} },
  }))
  Element.prototype.scrollTo = () => undefined
})
beforeEach(() => {
  for (const id of [null, 'session-1']) keepDraft(id, '')
  resetMessages(null)
})
afterEach(() => {
  leaveRun('session-1')
  cleanup()
  leavePage()
})

/** The chat of the address like in the routes: navigating from `/` to a chat does not remount it. */
function Page() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return <ChatView chatUid={/\/chat\/(.+)/.exec(path)?.[1] ?? null} />
}

/** The root for a person without chats; the test decides when the first one is created. */
async function openRoot(more: Answers = {}) {
  let create = (_: unknown) => {}
  const chat = aChat()
  const page = await renderPage(<Page />, {
    path: '/',
    answers: {
      'GET /sessions': () => ({ items: [], total: 0 }),
      'POST /sessions': () => new Promise((resolve) => (create = resolve)),
      'GET /sessions/session-1': () => chat,
      'GET /sessions/session-1/active-branch': () => aBranch([]),
      'GET /available-models': () => [],
      'POST /sessions/session-1/messages': () => new WrittenStream().response,
      ...more,
    },
  })
  await waitFor(() => expect(page.sent.some(({ method }) => method === 'POST')).toBe(true))
  const messages = () =>
    page.sent.flatMap(({ path, body }) =>
      path.endsWith('/messages') ? [(body as { content: string }).content] : [],
    )
  const openChat = async (answer: unknown = chat) => {
    create(answer)
    await waitFor(() => expect(page.sent.some(({ path }) => path.endsWith('/active-branch'))).toBe(true))
  }
  return {
    ...page,
    messages,
    openChat,
    fail: () => create([500, { detail: 'No.' }]),
    user: userEvent.setup(),
  }
}
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })

describe('message written before its chat is open', () => {
  it('is sent once the chat opens, once however often Enter was pressed [MS-08, RT-28]', async () => {
    const { user, messages, openChat, pathNow } = await openRoot()
    await user.type(field(), 'Hello{Enter}{Enter}')
    expect(field().value).toBe('')
    expect(messages()).toEqual([])
    await openChat()
    await waitFor(() => expect(messages()).toEqual(['Hello']))
    expect(pathNow()).toBe('/chat/session-1')
    expect(await screen.findByText('Hello')).toBeTruthy()
  })

  it('waits in the composer if it is the second one, and moves to the chat [MS-08]', async () => {
    const { user, messages, openChat } = await openRoot()
    await user.type(field(), 'First{Enter}Second{Enter}')
    expect(field().value).toBe('Second')
    await openChat()
    await waitFor(() => expect(messages()).toEqual(['First']))
    expect(field().value).toBe('Second')
    expect([readDraft(null), readDraft('session-1')]).toEqual(['', 'Second'])
  })

  it('moves to the chat as an unsent draft [MS-08, RT-28]', async () => {
    const { user, messages, openChat } = await openRoot()
    keepDraft('session-1', 'From before.')
    await user.type(field(), 'Half a')
    await openChat()
    await waitFor(() => expect(field().value).toBe('From before.\nHalf a'))
    expect(messages()).toEqual([])
  })

  it('returns if no chat could be opened [MS-12]', async () => {
    const { user, messages, fail } = await openRoot()
    await user.type(field(), 'Hello{Enter}')
    fail()
    await waitFor(() => expect(field().value).toBe('Hello'))
    expect(messages()).toEqual([])
  })
})

it('returns if the page is left before its chat is shown [MS-12]', async () => {
  let show = (_: unknown) => {}
  const { user, messages, openChat } = await openRoot({
    'GET /sessions/session-1/active-branch': () => new Promise((resolve) => (show = resolve)),
  })
  await openChat()
  await waitFor(() => expect(messageStore.getState().isLoading).toBe(true))
  await user.type(field(), 'Hello{Enter}')
  expect([field().value, readDraft('session-1')]).toEqual(['', ''])
  fireEvent(window, new Event('pagehide'))
  expect([field().value, readDraft('session-1')]).toEqual(['Hello', 'Hello'])
  show(aBranch([]))
  await waitFor(() => expect(messageStore.getState().isLoading).toBe(false))
  expect(messages()).toEqual([])
})

it('is sent once for two Enters [MS-08]', async () => {
  const { messages, openChat } = await openRoot()
  await openChat()
  await screen.findByText(/Good (morning|afternoon|evening)/)
  fireEvent.change(field(), { target: { value: 'Hello' } })
  fireEvent.keyDown(field(), { key: 'Enter' })
  fireEvent.keyDown(field(), { key: 'Enter' })
  await waitFor(() => expect(messages()).toEqual(['Hello']))
})
