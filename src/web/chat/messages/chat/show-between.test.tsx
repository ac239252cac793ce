import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  chatAnswers,
  chatPath,
  leaveChat,
  openChatView,
  prepareChat,
  wireId,
} from '#tests/web/chat-builder.tsx'
import { aCompletion, anInit, aView, onWire, WrittenStream } from '#tests/web/event-builder.ts'
import { aBranch, aMessage } from '#tests/web/message-builder.ts'
import { messageStore } from './message-store.ts'

beforeEach(prepareChat)
afterEach(leaveChat)

it('shows the messages that another browser added before a sent one', async () => {
  const stream = new WrittenStream()
  const question = aMessage({ content: 'What?' })
  const last = aMessage({ role: 'assistant', content: 'Before', parent_id: question.id })
  const theirs = aMessage({ content: 'From the other browser', parent_id: last.id })
  const answer = aMessage({ role: 'assistant', content: 'Its reply', parent_id: theirs.id })
  let shown = [question, last]
  const page = await openChatView(
    chatAnswers(
      [],
      {},
      {
        [`POST ${chatPath}/messages`]: () => stream.response,
        [`GET ${chatPath}/active-branch`]: () => aBranch(shown),
      },
    ),
  )
  await screen.findByText('Before')
  await page.user.type(screen.getByRole('textbox', { name: 'Message' }), 'Mine{Enter}')
  const [sent] = page.called(`POST ${chatPath}/messages`)
  const { client_id, ...body } = sent!.body as Record<string, string>
  expect(body).toMatchObject({ content: 'Mine', parent_id: last.id, at_end: true })
  shown = [question, last, theirs, answer]
  const mine = aMessage({
    ...{ content: 'Mine', parent_id: answer.id, client_id: client_id!, chat_session_id: wireId },
  })
  const view = aView({ message_id: 'reply-1', user_message_id: mine.id })
  stream.write(anInit(view, null, mine as never), onWire({ event: 'response_chunk', content: 'Yes' }, '11'))
  const ids = [question.id, last.id, theirs.id, answer.id, mine.id, 'reply-1']
  await waitFor(() => expect(messageStore.getState().order).toEqual(ids))
  expect(messageStore.getState()).toMatchObject({ total: 6, gap: null })
  stream.write(onWire({ ...aCompletion(), message_id: 'reply-1' }, '12')).close()
  await waitFor(() => expect(messageStore.getState().isStreaming).toBe(false))
  expect(page.called(`GET ${chatPath}/active-branch`).at(-1)?.query.get('before')).toBe(mine.id)
})

it('marks a gap when more was added than one page holds', async () => {
  const { insertBefore, setBranch } = await import('./message-store.ts')
  const [first, second] = [aMessage(), aMessage({ role: 'assistant' })]
  const mine = aMessage({ content: 'Mine' })
  setBranch(aBranch([first, second, mine]))
  const added = [aMessage(), aMessage({ role: 'assistant' })]
  insertBefore(mine.id, { ...aBranch(added), start: 302 })
  expect(messageStore.getState()).toMatchObject({
    order: [first.id, second.id, ...added.map(({ id }) => id), mine.id],
    gap: { after: second.id, count: 300 },
    total: 305,
  })
})
