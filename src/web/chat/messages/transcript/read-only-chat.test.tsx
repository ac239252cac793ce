import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import type { Block } from '#shared/runs/runs/blocks.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { chatAnswers, chatPath, leaveChat, openChatView, prepareChat } from '#tests/web/chat-builder.tsx'
import { aMessage } from '#tests/web/message-builder.ts'
import { messageStore } from '../chat/message-store.ts'

beforeEach(() => prepareChat())
afterEach(() => leaveChat())

const question = aMessage({ id: 'question-1', role: 'user', content: 'One' })
const failed: Block = {
  ...{ type: 'error', id: 'error-1', error: 'It failed.', code: null },
  ...{ traceback: null, step: null, timestamp: '' },
}
const reply = aMessage({
  ...{ id: 'reply-1', role: 'assistant', content: 'Two', parent_id: question.id },
  blocks: [failed],
})

const open = (messages: Message[], project: Partial<NonNullable<Session['project']>> = {}) =>
  openChatView(
    chatAnswers(messages, {
      project: {
        ...({ id: 'project-1', name: 'Renewals', colour: 'blue', icon: 'folder' } as const),
        ...{ author: 'Ada', is_shared: true, may_write: false, ...project },
      },
    }),
  )

const writing = ['Answer now', 'Edit message', 'Regenerate', 'Regenerate with another model', 'Retry']
const shown = () =>
  screen
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label') ?? button.textContent ?? '')
    .filter((name) => writing.includes(name))
    .sort()

describe('a chat that a person may only read', () => {
  it.each([
    ['a question without a reply', [question], 'Copy message', ['Answer now', 'Edit message']],
    ['a failed reply', [question, reply], 'Copy answer with its formatting', writing.slice(1)],
  ])('has no actions that write at %s', async (_, messages, copy, actions) => {
    const page = await open(messages, { may_write: true })
    await waitFor(() => expect(shown()).toEqual(actions.toSorted()), { timeout: 8_000 })
    page.unmount()
    leaveChat()
    prepareChat()
    await open(messages)
    await screen.findByRole('button', { name: copy })
    expect(shown()).toEqual([])
  })

  it('lets only its owner stop a reply in an archived project', async () => {
    const { called, user } = await open([question, reply], { author: null, is_archived: true })
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
    act(() => messageStore.setState({ isStreaming: true }))
    await user.click(await screen.findByRole('button', { name: 'Stop' }))
    await waitFor(() => expect(called(`POST ${chatPath}/stop`)).toHaveLength(1))
  })
})
