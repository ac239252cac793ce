import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { chatAnswers, chatPath, leaveChat, openChatView, prepareChat } from '#tests/web/chat-builder.tsx'
import { aCompletion, anInit, aView, onWire, WrittenStream } from '#tests/web/event-builder.ts'
import { aChat } from '#tests/web/message-builder.ts'
import type { Answers } from '#tests/web/render-page.tsx'
import { HistoryList } from '../../runs/sessions/history-list.tsx'
import { keepDraft } from '../composer/composer.tsx'
import { messageStore } from './chat/message-store.ts'

let stream: WrittenStream

beforeEach(() => {
  prepareChat()
  stream = new WrittenStream()
  keepDraft('session-1', '')
})
afterEach(() => {
  vi.restoreAllMocks()
  leaveChat()
})

const answersOf = (session: Partial<Session>, more: Answers = {}) =>
  chatAnswers([], session, { [`POST ${chatPath}/messages`]: () => stream.response, ...more })

function openBesideHistory(answers: Answers) {
  // jsdom has no layout, but the virtual list needs its window's height.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(800)
  return openChatView(answers, { beside: <HistoryList /> })
}

const say = ({ user }: Awaited<ReturnType<typeof openChatView>>, text: string) =>
  user.type(screen.getByRole('textbox', { name: 'Message' }), `${text}{Enter}`)

describe('state of a chat', () => {
  it('is consistent in header, history and tab from the first moment of a reply to its last', async () => {
    const session: Partial<Session> = { title: 'Chat session-', status: 'NEW' }
    const answers = answersOf(session)
    const page = await openBesideHistory(answers)
    await screen.findByText(/Good/)
    const header = () => screen.getByRole('banner')
    const history = () => screen.getByRole('region', { name: 'Chats' })
    await waitFor(() => expect(within(history()).getByText('New')).toBeTruthy())
    expect(within(header()).getByRole('heading', { name: 'New chat' })).toBeTruthy()
    expect(document.title).toBe('New chat · Atrium')
    // The server accepts it and answers slowly, so the local state shows.
    await say(page, 'Kessler call')
    await waitFor(() => expect(within(history()).getByText('Working')).toBeTruthy())
    expect(within(header()).getByText('Working')).toBeTruthy()
    const titled = aChat({ title: 'Kessler call', status: 'GENERATING', agent_status: 'processing' })
    answers[`GET ${chatPath}`] = () => titled
    stream.write(anInit(aView()), onWire({ event: 'response_chunk', content: 'A beginning' }, '1'))
    await within(history()).findByText('Kessler call', { selector: 'span:not(.sr-only)' }, { timeout: 1000 })
    expect(within(header()).getByRole('heading', { name: 'Kessler call' })).toBeTruthy()
    expect(document.title).toBe('Kessler call · Atrium')
    answers[`GET ${chatPath}`] = () => new Promise(() => undefined)
    stream.write(onWire(aCompletion(true), '2')).close()
    await waitFor(() => expect(within(header()).getByText('Stopped')).toBeTruthy())
    expect(within(history()).getByText('Stopped')).toBeTruthy()
  })

  it('shows no error after an expired session was renewed in the popup', async () => {
    await openChatView(
      answersOf({}, { [`GET ${chatPath}`]: () => [401, { detail: 'x', code: 'unauthenticated' }] }),
    )
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(screen.queryByText('Failed to load session details.')).toBeNull()
  })

  it('explains a network failure without technical words', async () => {
    const gone = () => Promise.reject(new TypeError('Failed to fetch'))
    const page = await openChatView(answersOf({}, { [`POST ${chatPath}/messages`]: gone }))
    await screen.findByText(/Good/)
    await say(page, 'Hi')
    await waitFor(() => expect(messageStore.getState().isStreaming).toBe(false))
    expect(document.body.textContent).not.toMatch(/Failed to fetch|ECONN|NetworkError/)
  })

  it('stays unchanged after a refused message', async () => {
    const answers = answersOf(
      { status: 'NEW' },
      { [`POST ${chatPath}/messages`]: () => [503, { detail: 'No' }] },
    )
    const page = await openBesideHistory(answers)
    await screen.findByText(/Good/)
    await say(page, 'Hi')
    await waitFor(() => expect(messageStore.getState().isStreaming).toBe(false))
    expect(within(screen.getByRole('region', { name: 'Chats' })).getByText('New')).toBeTruthy()
  })
})
