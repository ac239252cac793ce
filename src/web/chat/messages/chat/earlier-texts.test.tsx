import { screen, waitFor } from '@testing-library/react'
import i18next from 'i18next'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  chatAnswers,
  chatPath,
  leaveChat,
  openChatView,
  prepareChat,
  wireId,
} from '#tests/web/chat-builder.tsx'
import { aCompletion, anInit, aView, onWire, WrittenStream } from '#tests/web/event-builder.ts'
import { aMessage } from '#tests/web/message-builder.ts'
import { editAndRegenerate } from '../branching/edit.ts'
import { regenerateMessage } from '../branching/regenerate.ts'
import { returnTo } from '../standstill/task-actions.ts'
import { messageStore } from './message-store.ts'

let stream: WrittenStream
beforeEach(() => {
  prepareChat()
  stream = new WrittenStream()
})
afterEach(leaveChat)

const t = i18next.t.bind(i18next)
const question = aMessage({ content: 'Which one?' })
const first = aMessage({ role: 'assistant', parent_id: question.id, content: 'Kessler' })
const message = (id: string) => messageStore.getState().messagesById[id]

async function open() {
  const answer = () => stream.response
  await openChatView(
    chatAnswers(
      [question, first],
      {},
      {
        [`POST ${chatPath}/messages/${first.id}/regenerate`]: answer,
        [`POST ${chatPath}/messages/${question.id}/edit-and-regenerate`]: answer,
        [`POST ${chatPath}/navigate-to-checkpoint`]: answer,
      },
    ),
  )
  await screen.findByText('Kessler')
}

async function answered() {
  const view = aView({ message_id: wireId, user_message_id: question.id })
  stream.write(anInit(view), onWire({ event: 'response_chunk', content: 'Dalkorne' }, '1'))
  stream.write(onWire({ ...aCompletion(), message_id: wireId }, '2')).close()
  await waitFor(() => expect(messageStore.getState().isStreaming).toBe(false))
}

describe('earlier versions of a message', () => {
  it('keep a reply that is regenerated, for restoring and lookup [MS-01]', async () => {
    await open()
    regenerateMessage(first.id, t)
    const kept = { previousContent: 'Kessler', responseHistory: ['Kessler'] }
    expect(message(first.id)).toMatchObject({ content: '', cachedContent: 'Kessler', ...kept })
    await answered()
    expect(message(wireId)).toMatchObject({ content: 'Dalkorne', cachedContent: null, ...kept })
  })

  it('keep a reply that continues from a checkpoint, and the old text of an edited question [MS-01]', async () => {
    await open()
    returnTo(first.id, { id: 'run-1:step1', checkpoint_name: 'step1' }, t)
    expect(message(first.id)?.metadata).toEqual({ checkpoint_name: 'step1', content: 'Kessler' })
    await answered()
    stream = new WrittenStream()
    expect(editAndRegenerate(question.id, 'Which two?', t)).toBe(true)
    const { order } = messageStore.getState()
    const [edited, reply] = order.map((id) => message(id))
    expect(edited).toMatchObject({ previousContent: 'Which one?', temp_id: order[0] })
    expect(reply?.temp_id).toBe(order[1])
    stream.close()
  })
})
