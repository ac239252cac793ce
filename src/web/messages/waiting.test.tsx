import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Block } from '#shared/runs/blocks.ts'
import { aRequest } from '../input-requests/request-builder.ts'
import type { Answers } from '../lib/render-page.tsx'
import { aCompletion, anInit, aView, onWire, WrittenStream } from '../runs/event-builder.ts'
import { chatAnswers, chatPath, leaveChat, openChatView, prepareChat } from './chat-builder.tsx'
import { aMessage } from './message-builder.ts'
import { messageStore } from './message-store.ts'

let stream: WrittenStream
beforeEach(() => {
  prepareChat()
  stream = new WrittenStream()
})
afterEach(leaveChat)

const asked = aRequest()
const text: Block = { type: 'text', id: 'text-0', text: 'Two fit.' }

async function open(blocks: Block[], more: Answers = {}) {
  const paused = { status: 'active', agent_status: 'paused', pending_input: { ...asked } } as const
  const branch = [aMessage({ content: 'Go' })]
  if (blocks.length > 0)
    branch.push(
      aMessage({ role: 'assistant', content: 'Two fit.', status: 'streaming', blocks, id: 'reply-1' }),
    )
  const answers = chatAnswers(branch, blocks.length > 0 ? paused : {}, {
    [`POST ${chatPath}/messages`]: () => stream.response,
    [`GET ${chatPath}/task-stream`]: () => stream.response,
    [`POST ${chatPath}/provide-input`]: () => ({ status: 'accepted' }),
    ...more,
  })
  return { ...(await openChatView(answers)), branch }
}

const composer = () => screen.queryByRole('textbox', { name: 'Message' })

describe('a chat whose run waits', () => {
  it('CK-11 CK-18 has the form in place of the composer, and goes on with the answer', async () => {
    const { user, sent } = await open([text, asked])
    expect(await screen.findByText('Which one?')).toBeTruthy()
    expect(composer()).toBeNull()
    // The request stands where it is answered, and only there.
    expect(screen.getAllByText('Which one?')).toHaveLength(1)
    await user.type(screen.getByRole('textbox', { name: 'Text' }), 'blue')
    await user.click(screen.getByRole('button', { name: 'Send input' }))
    await waitFor(() => expect(sent.some(({ path }) => path.endsWith('/task-stream'))).toBe(true))
    const provided = { ...asked, state: 'provided', input: 'blue', answered_at: asked.created_at } as const
    stream
      .write(
        anInit(aView({ content: 'Two fit.', blocks: [text, provided] })),
        onWire({ event: 'response_chunk', content: ' Blue it is.' }, '5'),
        onWire(aCompletion(), '6'),
      )
      .close()
    expect(await screen.findByText('Input provided')).toBeTruthy()
    expect(screen.getByText('“blue”')).toBeTruthy()
    await waitFor(() => expect(composer()).toBeTruthy())
    expect(screen.getByText('Blue it is.')).toBeTruthy()
  })

  it('CK-11 shows the form as soon as a stream ends with a question', async () => {
    const { user } = await open([])
    await user.type(await screen.findByRole('textbox', { name: 'Message' }), 'Go{Enter}')
    const { type: _, state: _s, input: _i, ...event } = asked
    stream.write(anInit(aView()), onWire({ event: 'input_required', ...event }, '2')).close()
    expect(await screen.findByRole('textbox', { name: 'Text' })).toBeTruthy()
    expect(composer()).toBeNull()
    const last = messageStore.getState().order.at(-1) ?? ''
    expect(messageStore.getState().messagesById[last]?.status).toBe('streaming')
  })

  it('CK-11 can be stopped, to write something else', async () => {
    const stopped = { current: false }
    const { user, branch } = await open([text, asked], {
      'POST /sessions/session-1/stop': () => {
        stopped.current = true
        branch[1] = { ...branch[1]!, status: 'completed', blocks: [text, { ...asked, state: 'closed' }] }
        return { message: 'Stopped' }
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Stop and write something else' }))
    await waitFor(() => expect(composer()).toBeTruthy())
    expect(stopped.current).toBe(true)
    expect(await screen.findByText('Not answered')).toBeTruthy()
  })
})
