import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Message } from '#shared/runs/runs/message.ts'
import { chatAnswers, chatPath, leaveChat, openChatView, prepareChat } from '#tests/web/chat-builder.tsx'
import { aCompletion, anInit, aView, onWire, WrittenStream } from '#tests/web/event-builder.ts'
import { aMessage } from '#tests/web/message-builder.ts'
import type { Answers } from '#tests/web/render-page.tsx'
import { forgetKept } from '../../../platform/lib/kept/kept.ts'
import { unmadeChats } from '../../../runs/sessions/sessions.ts'
import { keepDraft, readDraft } from '../../composer/composer.tsx'
import { messageStore, resetMessages } from '../chat/message-store.ts'
import { leaveReply } from '../chat/reply.ts'
import OutboxSender from '../outbox-sender.tsx'
import { putWaiting, waitingIn } from './outbox.ts'

let stream: WrittenStream
let isDown = false

beforeEach(() => {
  prepareChat()
  stream = new WrittenStream()
  isDown = false
})
afterEach(() => {
  comeBack()
  forgetKept()
  leaveChat()
})

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const list = () => screen.queryByRole('list', { name: 'Waiting to be sent' })
const waiting = () => waitingIn('session-1').map(({ text }) => text)

async function open(messages: Message[] = [], more: Answers = {}) {
  const post = () => {
    if (isDown) throw new TypeError('Failed to fetch')
    return stream.response
  }
  const answers = chatAnswers(messages, {}, { [`POST ${chatPath}/messages`]: post, ...more })
  const page = await openChatView(answers, { beside: <OutboxSender /> })
  await waitFor(() => expect(messageStore.getState().isLoading).toBe(false))
  const sent = () =>
    page
      .called(`POST ${chatPath}/messages`)
      .map(({ body }) => body as Record<'content' | 'client_id', string>)
  const texts = () => sent().map(({ content }) => content)
  const say = (text: string) => page.user.type(field(), `${text}{Enter}`)
  return { ...page, sent, texts, say }
}

/** The reply to the last sent message, and its end. */
function reply({ stopped = false, of = '1' } = {}) {
  const view = aView({ message_id: `reply-${of}`, user_message_id: `question-${of}` })
  stream.write(anInit(view), onWire({ event: 'response_chunk', content: 'Yes' }, `${of}1`))
  return () => {
    const over = stream
    stream = new WrittenStream()
    over.write(onWire({ ...aCompletion(stopped), message_id: `reply-${of}` }, `${of}2`)).close()
  }
}

const network = vi.spyOn(navigator, 'onLine', 'get')
const goOffline = () => network.mockReturnValue(false)
const comeBack = () => {
  isDown = false
  network.mockReturnValue(true)
  act(() => void window.dispatchEvent(new Event('online')))
}

describe('message sent without a connection', () => {
  it('waits above the composer, and is sent when the connection is back', async () => {
    const { say, texts } = await open()
    goOffline()
    await say('One')
    expect(field().value).toBe('')
    expect((await screen.findByRole('list', { name: 'Waiting to be sent' })).textContent).toContain('One')
    expect(screen.getByText('Goes out when the connection is back')).toBeTruthy()
    expect(texts()).toEqual([])
    comeBack()
    await waitFor(() => expect(texts()).toEqual(['One']))
    await waitFor(() => expect(list()).toBeNull())
    reply()()
    expect(await screen.findByText('Yes')).toBeTruthy()
    expect(waiting()).toEqual([])
  })

  it('is sent in order, after the previous reply has ended', async () => {
    const { say, texts } = await open()
    goOffline()
    await say('One')
    await say('Two')
    comeBack()
    await waitFor(() => expect(texts()).toEqual(['One']))
    const end = reply()
    await screen.findByText('Yes')
    expect(texts()).toEqual(['One'])
    end()
    await waitFor(() => expect(texts()).toEqual(['One', 'Two']))
  })

  it('keeps its id in a retry if it may have arrived [MS-12]', async () => {
    const { say, sent } = await open()
    isDown = true
    await say('Once')
    await waitFor(() => expect(waiting()).toEqual(['Once']))
    expect(screen.queryByText(/Failed to send/)).toBeNull()
    comeBack()
    await waitFor(() => expect(sent()).toHaveLength(2))
    expect(sent()[1]?.client_id).toBe(sent()[0]?.client_id)
  })

  it('survives a reload, and is not sent again if it had arrived', async () => {
    putWaiting('session-1', { clientId: 'a', text: 'Arrived', toolChoice: null, waitsFor: null })
    putWaiting('session-1', {
      ...{ clientId: 'b', text: 'Lost', toolChoice: 'calculator', modelName: 'house/one', waitsFor: null },
    })
    const arrived = aMessage({ client_id: 'a', content: 'Arrived' })
    const { sent } = await open([arrived, aMessage({ role: 'assistant', content: 'Yes' })])
    await waitFor(() => expect(sent()).toHaveLength(1))
    expect(sent()[0]).toMatchObject({ content: 'Lost', client_id: 'b', tool_choice: 'calculator' })
    expect(sent()[0]).toMatchObject({ model_name: 'house/one' })
  })

  it('is sent to a chat that is not on screen', async () => {
    putWaiting('session-2', { clientId: 'a', text: 'Elsewhere', toolChoice: null, waitsFor: 'connection' })
    const { called } = await open([], {
      'GET /sessions/session-2/active-branch': () => ({ active_branch: [] }),
      'POST /sessions/session-2/messages': () => stream.response,
    })
    await waitFor(() => expect(called('POST /sessions/session-2/messages')).toHaveLength(1))
    expect(called('POST /sessions/session-2/messages')[0]?.body).toMatchObject({
      content: 'Elsewhere',
      client_id: 'a',
    })
    await waitFor(() => expect(waitingIn('session-2')).toEqual([]))
  })

  it('creates its own chat if its new chat was begun elsewhere', async () => {
    const message = { clientId: 'a', text: 'Mine', toolChoice: null, waitsFor: 'connection' } as const
    putWaiting('session-2', { ...message, isFirst: true })
    const { called } = await open([], {
      'GET /sessions/session-2/active-branch': () => ({ active_branch: [] }),
      'POST /sessions/session-2/messages': () => [409, { detail: 'Begun elsewhere.', code: 'chat_begun' }],
    })
    await waitFor(() => expect(waitingIn('session-2')).toEqual([]))
    expect(called('POST /sessions/session-2/messages')[0]?.body).toMatchObject({ is_first: true })
    const [own = ''] = unmadeChats()
    expect(waitingIn(own)).toMatchObject([{ text: 'Mine', isFirst: true }])
  })

  it('is sent again with its id if its chat was left before the server answered', async () => {
    const { say, sent } = await open()
    await say('Left')
    await waitFor(() => expect(sent()).toHaveLength(1))
    act(() => {
      leaveReply('session-1')
      resetMessages(null)
    })
    await waitFor(() => expect(sent()).toHaveLength(2), { timeout: 9_000 })
    expect(sent()[1]).toMatchObject({ content: 'Left', client_id: sent()[0]?.client_id, is_first: true })
    await waitFor(() => expect(waiting()).toEqual([]))
  })

  it('returns to its draft if it is refused [MS-12]', async () => {
    putWaiting('session-2', { clientId: 'a', text: 'No', toolChoice: null, waitsFor: 'connection' })
    await open([], {
      'GET /sessions/session-2/active-branch': () => ({ active_branch: [] }),
      'POST /sessions/session-2/messages': () => [422, { detail: 'Too much', code: 'invalid' }],
    })
    expect(await screen.findByText('Failed to send message: Too much')).toBeTruthy()
    expect(waitingIn('session-2')).toEqual([])
    expect(readDraft('session-2')).toBe('No')
  })
})

describe('message written during a reply', () => {
  it('waits here while the server cannot be reached, and goes out after the reply', async () => {
    const { say, texts } = await open([], {
      [`POST ${chatPath}/queue`]: () => {
        throw new TypeError('Failed to fetch')
      },
    })
    await say('One')
    const end = reply()
    await screen.findByText('Yes')
    await say('Two')
    expect((await screen.findByRole('list', { name: 'Waiting to be sent' })).textContent).toContain('Two')
    expect(texts()).toEqual(['One'])
    end()
    act(() => void window.dispatchEvent(new Event('online')))
    await waitFor(() => expect(texts()).toEqual(['One', 'Two']), { timeout: 8000 })
    await waitFor(() => expect(list()).toBeNull())
  })

  it('can be edited or removed while it waits', async () => {
    const { say, user } = await open()
    goOffline()
    await say('Two')
    await say('Three')
    await user.click((await screen.findAllByRole('button', { name: 'Remove' }))[1]!)
    expect(waiting()).toEqual(['Two'])
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    expect(waiting()).toEqual([])
    expect(field().value).toBe('Two')
    expect(document.activeElement).toBe(field())
    expect(readDraft('session-1')).toBe('Two')
    keepDraft('session-1', '')
  })

  it('is not sent again when the reply has read it', async () => {
    putWaiting('session-1', { clientId: 'a', text: 'Briefly', toolChoice: null, waitsFor: 'connection' })
    const { texts } = await open([], {
      [`POST ${chatPath}/messages`]: () => [409, { detail: 'Read already.', code: 'already_answered' }],
    })
    await waitFor(() => expect(texts()).toEqual(['Briefly']))
    await waitFor(() => expect(waiting()).toEqual([]))
    expect(screen.queryByText(/Failed to send/)).toBeNull()
    expect(readDraft('session-1')).toBe('')
  })

  it('of another tab waits for the end too', async () => {
    const { say, texts } = await open([], {
      [`POST ${chatPath}/messages`]: () => [409, { detail: 'Busy', code: 'session_busy' }],
    })
    await say('One')
    await waitFor(() => expect(waiting()).toEqual(['One']))
    expect(screen.queryByText(/Failed to send/)).toBeNull()
    expect(texts()).toEqual(['One'])
  })
})
