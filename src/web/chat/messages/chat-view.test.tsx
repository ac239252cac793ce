import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import {
  chatAnswers,
  chatPath,
  leaveChat,
  openChatView,
  prepareChat,
  wireId,
} from '#tests/web/chat-builder.tsx'
import { aCompletion, anInit, aView, onWire, WrittenStream } from '#tests/web/event-builder.ts'
import { aChat, aMessage } from '#tests/web/message-builder.ts'
import type { Answers } from '#tests/web/render-page.tsx'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { setCurrentSession, useCurrentSession } from '../../platform/lib/current-session.ts'
import { keepDraft, readDraft } from '../composer/composer.tsx'
import { messageStore } from './chat/message-store.ts'

let stream: WrittenStream

beforeEach(() => {
  prepareChat()
  stream = new WrittenStream()
  keepDraft('session-1', '')
})
afterEach(leaveChat)

function aServer(messages: Message[], session: Partial<Session> = {}, more: Answers = {}): Answers {
  return chatAnswers(messages, session, {
    'GET /users/me': () => ({ ...person }),
    [`POST ${chatPath}/messages`]: () => stream.response,
    [`GET ${chatPath}/task-stream`]: () => stream.response,
    ...more,
  })
}

/** Another id as the server gives them. */
const questionId = '00000000-0000-4000-8000-0000000000f1'

const person = {
  ...{ id: 'u', email: 'c@d.co', username: 'claire', full_name: 'Claire Delmas', language: 'en', bio: null },
  ...{ writing_style_examples: [], balance: null, preferences: {}, company_affiliations: [], created_at: '' },
}

const open = (answers: Answers, path?: string) => openChatView(answers, path ? { path } : {})

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const sentBodies = (sent: { path: string; body: unknown }[]) =>
  sent.filter(({ path }) => path.endsWith('/messages')).map(({ body }) => body as Record<string, unknown>)
const articles = () => screen.getAllByRole('article')

async function say(page: Awaited<ReturnType<typeof open>>, text: string) {
  await page.user.type(field(), `${text}{Enter}`)
}

function userMessage(page: Awaited<ReturnType<typeof open>>): Message {
  const { content, client_id } = sentBodies(page.sent).at(-1) ?? {}
  return aMessage({
    id: questionId,
    chat_session_id: wireId,
    content: String(content),
    client_id: String(client_id),
  })
}

describe('chat', () => {
  it('shows the active branch of the session [SE-18, BR-01]', async () => {
    await open(
      aServer([aMessage({ content: 'What?' }), aMessage({ role: 'assistant', content: '**That.**' })]),
    )
    expect(await screen.findByText('What?')).toBeTruthy()
    expect((await screen.findByText('That.')).tagName).toBe('STRONG')
    expect(screen.getByRole('heading', { name: 'Prices' })).toBeTruthy()
  })

  it('sends content, role, parent and client id in one call and streams the reply [MS-09]', async () => {
    const last = aMessage({ role: 'assistant', content: 'Before' })
    const page = await open(aServer([aMessage(), last]))
    await screen.findByText('Before')
    await say(page, 'And now?')
    const [body] = sentBodies(page.sent)
    expect(body).toMatchObject({ content: 'And now?', role: 'user', parent_id: last.id })
    expect(body?.client_id).toMatch(/^[0-9a-f]{32}$/)
    stream.write(anInit(aView()), onWire({ event: 'response_chunk', content: 'The *answer*' }, '1'))
    expect((await screen.findByText('answer')).tagName).toBe('EM')
    stream.write(onWire(aCompletion(), '2')).close()
    await waitFor(() => expect(messageStore.getState().isStreaming).toBe(false))
    expect(messageStore.getState().messagesById['reply-1']).toMatchObject({
      status: 'completed',
      content: 'The *answer*',
    })
  })

  it('names the assistant that wrote a reply, from its start', async () => {
    const metadata = { assistant: { id: 'a', name: 'Buyer' } }
    const model_name = 'openai/gpt-4o'
    const page = await open(aServer([aMessage(), aMessage({ role: 'assistant', metadata, model_name })]))
    expect(await screen.findByRole('heading', { name: 'Buyer said' })).toBeTruthy()
    expect(screen.getByText('Buyer · gpt-4o')).toBeTruthy()
    await say(page, 'And now?')
    const begun = aView({ assistant: { id: 'b', name: 'Seller' } })
    stream.write(anInit(begun), onWire({ event: 'response_chunk', content: 'x' }, '1'))
    expect(await screen.findByRole('heading', { name: 'Seller said' })).toBeTruthy()
    stream.write(onWire(aCompletion(), '2')).close()
    expect(await screen.findByText('Seller · gpt-4o')).toBeTruthy()
  })

  it('polls the details every 3 s, even while a reply streams [SE-17]', async () => {
    const page = await open(aServer([]))
    await screen.findByText(/Good/)
    await say(page, 'Hi')
    stream.write(anInit(aView()), onWire({ event: 'response_chunk', content: 'A beginning' }, '1'))
    await screen.findByText('A beginning')
    const before = page.called(`GET ${chatPath}`).length
    await waitFor(() => expect(page.called(`GET ${chatPath}`).length).toBeGreaterThan(before), {
      timeout: 6000,
    })
    expect(messageStore.getState().isStreaming).toBe(true)
    stream.close()
  })

  it('lets the interrupted reply report a lost connection instead of the failed poll [SE-17, SE-20]', async () => {
    const page = await open(aServer([]))
    await screen.findByText(/Good/)
    await say(page, 'Hi')
    stream.write(anInit(aView()), onWire({ event: 'response_chunk', content: 'A beginning' }, '1'))
    await screen.findByText('A beginning')
    const gone = () => Promise.reject(new TypeError('Failed to fetch'))
    Object.assign(page.answers, { [`GET ${chatPath}`]: gone, [`GET ${chatPath}/task-stream`]: gone })
    stream.break()
    await waitFor(() => expect(messageStore.getState().reconnecting).not.toBeNull())
    await act(() => queryClient.refetchQueries({ queryKey: ['session', 'session-1'] }))
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(screen.queryByText('Failed to load session details.')).toBeNull()
  })

  it('shows a pending message and a streaming reply, then both as completed [MS-02, MS-04, MS-05]', async () => {
    const page = await open(aServer([]))
    await screen.findByText(/Good/)
    await say(page, 'Hi')
    const statuses = () =>
      messageStore.getState().order.map((id) => messageStore.getState().messagesById[id]?.status)
    expect(statuses()).toEqual(['animating_in', 'streaming'])
    stream
      .write(
        anInit(aView()),
        onWire({ event: 'response_chunk', content: 'x' }, '1'),
        onWire(aCompletion(), '2'),
      )
      .close()
    await waitFor(() => expect(statuses()).toEqual(['completed', 'completed']))
  })

  it("replaces both temporary ids with the server's without remounting the messages [MS-06, MS-07]", async () => {
    const page = await open(aServer([]))
    await screen.findByText(/Good/)
    await say(page, 'Hi')
    await screen.findByText('Hi')
    const before = articles()
    expect(messageStore.getState().order.every((id) => id.startsWith('temp-'))).toBe(true)
    stream.write(
      anInit(aView({ user_message_id: questionId }), null, userMessage(page) as never),
      onWire({ event: 'response_chunk', content: 'x' }, '1'),
    )
    await waitFor(() => expect(messageStore.getState().order).toEqual([questionId, 'reply-1']))
    expect(messageStore.getState().messagesById['reply-1']?.parent_id).toBe(questionId)
    expect(articles()).toEqual(before)
  })

  it('sends nothing without text [MS-08]', async () => {
    const page = await open(aServer([]))
    await screen.findByText(/Good/)
    await page.user.type(field(), '   {Enter}')
    expect(sentBodies(page.sent)).toEqual([])
    expect(screen.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('true')
  })

  it('explains a failed send, removes the message and restores the text [MS-12, ER-07]', async () => {
    const page = await open(
      aServer(
        [],
        {},
        { 'POST /sessions/session-1/messages': () => [507, { detail: 'No room', code: 'storage_full' }] },
      ),
    )
    await screen.findByText(/Good/)
    await say(page, 'Keep me')
    expect(
      await screen.findByText(
        'Failed to send message: The storage of the server is full. Ask your administrator.',
      ),
    ).toBeTruthy()
    expect(messageStore.getState().order).toEqual([])
    expect(field().value).toBe('Keep me')
    expect(readDraft('session-1')).toBe('Keep me')
  })

  it('explains a refused payment [ER-06]', async () => {
    const refused = () => [402, { detail: 'x', code: 'insufficient_balance' }]
    const page = await open(aServer([], {}, { 'POST /sessions/session-1/messages': refused }))
    await screen.findByText(/Good/)
    await say(page, 'Hi')
    expect(await screen.findByText('Insufficient balance. Please top up to continue.')).toBeTruthy()
  })

  it('shows an error block after a failed run, and keeps the text [BL-12, ST-18]', async () => {
    const page = await open(aServer([]))
    await screen.findByText(/Good/)
    await say(page, 'Hi')
    const error = {
      event: 'agent_processing_error',
      message_id: 'reply-1',
      error: 'The provider is down',
      code: null,
    } as const
    stream
      .write(
        anInit(aView()),
        onWire({ event: 'response_chunk', content: 'Half an answer' }, '1'),
        onWire({ ...error, traceback: 'at x', step: 'Answer', timestamp: '2026-01-01T00:00:00Z' }, '2'),
      )
      .close()
    expect(await screen.findByText('The provider is down')).toBeTruthy()
    expect(screen.getByText('Half an answer')).toBeTruthy()
    expect(screen.getByText(/Everything above is kept/)).toBeTruthy()
  })

  it('attaches to a run in progress with a temporary reply [SE-19]', async () => {
    const page = await open(
      aServer([aMessage({ content: 'Asked elsewhere', id: 'question-1' })], { status: 'GENERATING' }),
    )
    await screen.findByText('Asked elsewhere')
    await waitFor(() => expect(page.sent.some(({ path }) => path.endsWith('/task-stream'))).toBe(true))
    expect(messageStore.getState().streamingId).toMatch(/^temp-/)
    const blocks = [{ type: 'text' as const, id: 'text-0', text: 'Already said' }]
    stream.write(
      anInit(aView({ content: 'Already said', blocks }), '7'),
      onWire({ event: 'response_chunk', content: ' and more' }, '8'),
    )
    expect(await screen.findByText('Already said and more')).toBeTruthy()
    expect(messageStore.getState().order).toEqual(['question-1', 'reply-1'])
  })

  it('shows a question asked on another device [SE-19]', async () => {
    await open(aServer([], { status: 'GENERATING' }))
    const question = aMessage({ id: questionId, chat_session_id: wireId, content: 'From my phone' })
    stream.write(
      anInit(aView(), null, question as never),
      onWire({ event: 'response_chunk', content: 'Yes' }, '1'),
    )
    expect(await screen.findByText('From my phone')).toBeTruthy()
    expect(await screen.findByText('Yes')).toBeTruthy()
    expect(messageStore.getState().order).toEqual([questionId, 'reply-1'])
  })

  it.each([
    ['single_turn', 0],
    ['multi_turn', 1],
  ] as const)(
    'offers as many pauses to a run of %s as it has remaining checkpoints [CK-21]',
    async (agent_type, count) => {
      const page = await open(aServer([], { session_metadata: { agent_type } }))
      await screen.findByText(/Good/)
      await say(page, 'Hi')
      stream.write(anInit(aView()), onWire({ event: 'response_chunk', content: 'A beginning' }, '1'))
      await screen.findByText('A beginning')
      expect(screen.queryAllByRole('button', { name: /^Pause/ })).toHaveLength(count)
      stream.close()
    },
  )

  it('replaces send with stop, and also stops on Escape [MS-05]', async () => {
    const page = await open(aServer([]))
    await screen.findByText(/Good/)
    const button = screen.getByRole('button', { name: 'Send' })
    await say(page, 'Hi')
    stream.write(anInit(aView()), onWire({ event: 'response_chunk', content: 'Once upon' }, '1'))
    await screen.findByText('Once upon')
    expect(screen.getByRole('button', { name: 'Stop' })).toBe(button)
    await page.user.keyboard('{Escape}')
    await waitFor(() => expect(page.sent.some(({ path }) => path.endsWith('/stop'))).toBe(true))
    stream.write(onWire(aCompletion(true), '2')).close()
    expect((await screen.findAllByText('Stopped. What was written is kept.')).length).toBeGreaterThan(0)
    expect(screen.getByText('Once upon')).toBeTruthy()
  })

  it('answers a message that never received its answer [MS-09]', async () => {
    const question = aMessage({ content: 'Lonely' })
    const answers = aServer(
      [question],
      {},
      { [`POST /sessions/session-1/messages/${question.id}/generate`]: () => stream.response },
    )
    const page = await open(answers)
    await page.user.click(await screen.findByRole('button', { name: 'Answer now' }))
    stream.write(
      anInit(aView({ user_message_id: question.id })),
      onWire({ event: 'response_chunk', content: 'Here' }, '1'),
    )
    expect(await screen.findByText('Here')).toBeTruthy()
    expect(messageStore.getState().order).toEqual([question.id, 'reply-1'])
  })

  it('copies an answer and a question as Markdown [MS-16]', async () => {
    const page = await open(
      aServer([
        aMessage({ content: '*Q*' }),
        aMessage({ role: 'assistant', content: '# Title\n\n**bold**' }),
      ]),
    )
    await screen.findByText('Title')
    await page.user.click(screen.getByRole('button', { name: 'Copy answer with its formatting' }))
    expect(await navigator.clipboard.readText()).toBe('# Title\n\n**bold**')
    await page.user.click(screen.getByRole('button', { name: 'Copy message' }))
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('*Q*'))
  })

  it('says if the details cannot be loaded [SE-20]', async () => {
    await open(aServer([], {}, { 'GET /sessions/session-1': () => [400, { detail: 'x' }] }))
    expect(await screen.findByText('Failed to load session details.')).toBeTruthy()
  })

  it.each([
    [403, 'forbidden', chatPath],
    [404, 'not_found', chatPath],
    [403, 'forbidden', `${chatPath}/active-branch`],
    [404, 'not_found', `${chatPath}/active-branch`],
  ])(
    'drops a session if %s (%s) answers %s, and navigates to the chat [RT-30, SE-22]',
    async (status, code, path) => {
      setCurrentSession('session-1')
      const session = aChat()
      const page = await open(
        aServer(
          [],
          {},
          {
            'GET /sessions': () => ({ items: [session], total: 1 }),
            [`GET ${path}`]: () => [status, { detail: 'x', code }],
          },
        ),
      )
      await waitFor(() => expect(page.pathNow()).toBe('/chat'))
      expect(useCurrentSession.getState().id).toBeNull()
      expect(messageStore.getState()).toMatchObject({ chatSessionId: null, order: [] })
      const listed = queryClient.getQueryData(['sessions'])
      expect(JSON.stringify(listed ?? null)).not.toContain('session-1')
    },
  )

  it('opens the first session if the address names none [RT-27]', async () => {
    const page = await open(aServer([]), '/')
    await waitFor(() => expect(page.pathNow()).toBe('/chat/session-1'))
  })

  it('creates a conversation if there is none [RT-28, RT-29]', async () => {
    const created = aChat({ id: 'new-one' })
    const page = await open(
      aServer([], {}, { 'GET /sessions': () => ({ items: [], total: 0 }), 'POST /sessions': () => created }),
      '/',
    )
    await waitFor(() => expect(page.pathNow()).toBe('/chat/new-one'))
    expect(page.sent.filter(({ method, path }) => method === 'POST' && path === '/sessions')).toHaveLength(1)
  })

  it('announces the progress of a run to screen readers, never its text', async () => {
    const page = await open(aServer([]))
    await screen.findByText(/Good/)
    await say(page, 'Hi')
    const status = () => screen.getAllByRole('status').map((region) => region.textContent)
    await waitFor(() => expect(status()).toContain('Generating'))
    stream
      .write(
        anInit(aView()),
        onWire({ event: 'response_chunk', content: 'one two three' }, '1'),
        onWire(aCompletion(), '2'),
      )
      .close()
    await waitFor(() => expect(status()).toContain('Answer complete, 3 words'))
    expect(screen.getByRole('log').getAttribute('aria-live')).toBe('off')
  })
})
