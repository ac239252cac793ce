import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { chatAnswers, chatPath, leaveChat, openChatView, prepareChat } from '#tests/web/chat-builder.tsx'
import { aCompletion, anInit, aView, onWire, WrittenStream } from '#tests/web/event-builder.ts'
import { aMessage } from '#tests/web/message-builder.ts'
import type { Answers } from '#tests/web/render-page.tsx'
import { aRequest } from '#tests/web/request-builder.ts'
import { keepDraft } from '../../composer/composer.tsx'
import { messageStore } from '../chat/message-store.ts'

let stream: WrittenStream
beforeEach(() => {
  prepareChat()
  stream = new WrittenStream()
  keepDraft('session-1', '')
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
const composer = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })

describe('chat with a waiting run', () => {
  it('asks above the composer, and continues with the answer [CK-11, CK-18]', async () => {
    const { user, sent } = await open([text, asked])
    expect(await screen.findByText('Which one?')).toBeTruthy()
    // The request is only shown where it is answered.
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
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Text' })).toBeNull())
    expect(screen.getByText('Blue it is.')).toBeTruthy()
  })

  it('shows the form as soon as a stream ends with a question [CK-11]', async () => {
    const { user } = await open([])
    await user.type(await screen.findByRole('textbox', { name: 'Message' }), 'Go{Enter}')
    const { type: _, state: _s, input: _i, ...event } = asked
    stream.write(anInit(aView()), onWire({ event: 'input_required', ...event }, '2')).close()
    // No one was typing, so the question has the focus.
    const field = await screen.findByRole('textbox', { name: 'Text' })
    await waitFor(() => expect(document.activeElement).toBe(field))
    const last = messageStore.getState().order.at(-1) ?? ''
    expect(messageStore.getState().messagesById[last]?.status).toBe('streaming')
  })

  it('can be stopped to write something else [CK-11]', async () => {
    const stopped = { current: false }
    const { user, branch } = await open([text, asked], {
      'POST /sessions/session-1/stop': () => {
        stopped.current = true
        branch[1] = { ...branch[1]!, status: 'completed', blocks: [text, { ...asked, state: 'closed' }] }
        return { message: 'Stopped' }
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Stop and write something else' }))
    expect(await screen.findByText('Not answered')).toBeTruthy()
    expect(stopped.current).toBe(true)
    expect(document.activeElement).toBe(composer())
  })

  it('lets a message be drafted meanwhile: Enter sends nothing and loses nothing [CK-11, CK-23]', async () => {
    const { user, sent } = await open([text, asked])
    await screen.findByText('Which one?')
    expect(await screen.findByText('The work waits for your answer.')).toBeTruthy()
    await user.type(composer(), 'And then book it{Enter}{Enter}')
    expect(composer().value).toBe('And then book it')
    expect(screen.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('true')
    await user.click(screen.getByRole('button', { name: 'Send' }))
    expect(sent.some(({ path }) => path.endsWith('/messages'))).toBe(false)
    await user.type(screen.getByRole('textbox', { name: 'Text' }), 'blue')
    await user.click(screen.getByRole('button', { name: 'Send input' }))
    await waitFor(() => expect(sent.some(({ path }) => path.endsWith('/task-stream'))).toBe(true))
    stream.write(anInit(aView({ content: 'Two fit.', blocks: [text] })), onWire(aCompletion(), '6')).close()
    await waitFor(() => expect(screen.queryByText('The work waits for your answer.')).toBeNull())
    expect(composer().value).toBe('And then book it')
  })

  it('does not move the focus from a message being written to a question [CK-11]', async () => {
    const { user } = await open([])
    await user.type(await screen.findByRole('textbox', { name: 'Message' }), 'Go{Enter}And th')
    const { type: _, state: _s, input: _i, ...event } = asked
    stream.write(anInit(aView()), onWire({ event: 'input_required', ...event }, '2')).close()
    await screen.findByRole('textbox', { name: 'Text' })
    await user.keyboard('en{Enter}')
    expect(composer().value).toBe('And then')
    expect(document.activeElement).toBe(composer())
  })
})
