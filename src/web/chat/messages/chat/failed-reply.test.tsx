import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { chatAnswers, chatPath, leaveChat, openChatView, prepareChat } from '#tests/web/chat-builder.tsx'
import { anInit, aView, onWire, WrittenStream } from '#tests/web/event-builder.ts'
import { aMessage } from '#tests/web/message-builder.ts'
import { aUser } from '#tests/web/render-app.tsx'
import type { Answers } from '#tests/web/render-page.tsx'
import { messageStore } from './message-store.ts'

let stream: WrittenStream

beforeEach(() => {
  prepareChat()
  stream = new WrittenStream()
})
afterEach(leaveChat)

const open = (messages: Message[], session: Partial<Session> = {}, more: Answers = {}) =>
  openChatView(
    chatAnswers(messages, session, {
      'GET /users/me': () => aUser(),
      [`GET ${chatPath}/task-stream`]: () => stream.response,
      ...more,
    }),
  )

describe('failed reply', () => {
  it.each([
    ['what came', 'So far it says'],
    ['that nothing could be loaded', null],
  ])('shows %s if its stream fails [MS-02, ST-27]', async (_, came) => {
    const page = await open([aMessage({ content: 'Q', id: 'question-1' })], { status: 'GENERATING' })
    await screen.findByText('Q')
    page.answers[`GET ${chatPath}/task-stream`] = () => [404, { detail: 'Not found', code: 'not_found' }]
    await waitFor(() => expect(messageStore.getState().isStreaming).toBe(true))
    if (came) {
      stream.write(anInit(aView()), onWire({ event: 'response_chunk', content: came }, '1'))
      await screen.findByText(came)
    }
    act(() => stream.break())
    const shown = came ?? 'Error: Failed to load response'
    await waitFor(() => expect(messageStore.getState().isStreaming).toBe(false), { timeout: 3000 })
    expect(screen.getByText(shown)).toBeTruthy()
    expect(screen.queryByText('Error: Failed to load response') === null).toBe(came !== null)
    const { messagesById, order } = messageStore.getState()
    expect(messagesById[order[1] ?? '']).toMatchObject({ status: 'error', content: shown })
  })

  it('shows why it could not start, and leaves the question [ST-28]', async () => {
    const question = aMessage({ content: 'Lonely' })
    const page = await open(
      [question],
      {},
      {
        [`POST ${chatPath}/messages/${question.id}/generate`]: () => [
          400,
          { detail: 'The model is not known.', code: 'malformed' },
        ],
      },
    )
    await page.user.click(await screen.findByRole('button', { name: 'Answer now' }))
    expect(await screen.findByText('Failed to process message: The model is not known.')).toBeTruthy()
    expect(messageStore.getState()).toMatchObject({ order: [question.id], isStreaming: false })
  })
})
