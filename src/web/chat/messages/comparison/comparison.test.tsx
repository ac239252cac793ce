import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  chatAnswers,
  chatPath,
  leaveChat,
  openChatView,
  prepareChat,
  wireId,
} from '#tests/web/chat-builder.tsx'
import { aBranch, aMessage } from '#tests/web/message-builder.ts'
import { translate } from '../../../platform/i18n/i18n.ts'
import { tellLater } from '../chat/tell-branch.ts'
import { sendComparison } from './send-comparison.ts'

beforeEach(() => prepareChat())
afterEach(() => leaveChat())

const usage = {
  ...{ seconds: 4.1, calls: 1, input_tokens: 100, output_tokens: 20, amount: 0.012 },
  ...{ unpriced: false, estimated: false },
}
const step = (number: number, description: string, more: object) => ({
  ...{ type: 'step' as const, id: `step-${number}`, number, description, single_step: false },
  ...{ completed: true, progress: 100, message: null, ...more },
})

describe('a message to several models', () => {
  it('keeps its id when it is sent again after its answer was lost', async () => {
    let isDown = true
    const page = await openChatView(
      chatAnswers(
        [],
        {},
        {
          [`POST ${chatPath}/comparisons`]: () => {
            if (isDown) throw new TypeError('Failed to fetch')
            return [201, aMessage({ role: 'user', content: 'Draft it' })]
          },
        },
      ),
    )
    const t = ((key: string, values = {}) => translate(key, values)) as never
    const refused: string[] = []
    const send = (text: string) =>
      sendComparison({
        ...{ sessionId: 'session-1', text, models: ['house/one', 'house/two'], toolChoice: null },
        ...{ files: [], mentions: [], t, onRefused: () => refused.push(text) },
      })
    await send('Draft it')
    expect(refused).toEqual(['Draft it'])
    isDown = false
    await send('Draft it')
    await send('Draft it')
    const [first, second, third] = page
      .called(`POST ${chatPath}/comparisons`)
      .map(({ body }) => (body as { client_id: string }).client_id)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })
})

describe('a message to several models after a switch of branches', () => {
  it('follows the branch on screen, which stays active', async () => {
    const [question, reply] = [aMessage(), aMessage({ role: 'assistant', content: 'On screen' })]
    const page = await openChatView(
      chatAnswers(
        [question, reply],
        {},
        {
          [`POST ${chatPath}/comparisons`]: () => [201, aMessage({ role: 'user', content: 'Draft it' })],
          [`POST ${chatPath}/navigate/${reply.id}`]: () => aBranch([question, reply]),
        },
      ),
    )
    await screen.findByText('On screen')
    const t = ((key: string, values = {}) => translate(key, values)) as never
    tellLater({ sessionId: 'session-1', branchId: reply.id, t })
    await sendComparison({
      ...{ sessionId: 'session-1', text: 'Draft it', models: ['house/one', 'house/two'], toolChoice: null },
      ...{ files: [], mentions: [], t, onRefused: () => undefined },
    })
    const [sent] = page.called(`POST ${chatPath}/comparisons`)
    expect(sent?.body).toMatchObject({ parent_id: reply.id })
    expect(page.called(`POST ${chatPath}/navigate/${reply.id}`)).toEqual([])
  })
})

describe('a reply of several models', () => {
  it('shows each with its cost or its error, and keeps the chosen one', async () => {
    const question = aMessage({ id: 'question-1', role: 'user', content: 'Draft it' })
    const reply = aMessage({
      ...{ id: 'reply-1', role: 'assistant', content: '## one\n\nYes.', parent_id: question.id },
      agent_type: 'comparison',
      blocks: [
        step(1, 'one', { message: 'We would like to **renew**.' }),
        step(2, 'two', { completed: false, failed: true, message: 'It failed.' }),
      ],
    })
    const kept = aMessage({
      id: wireId,
      role: 'assistant',
      content: 'We would like to renew.',
      parent_id: question.id,
    })
    const replies = [
      { number: 1, model_name: 'house/one', state: 'completed', message_id: wireId, usage, error: null },
      {
        number: 2,
        model_name: 'house/two',
        state: 'failed',
        message_id: null,
        usage: null,
        error: 'No room.',
      },
    ]
    const { user } = await openChatView(
      chatAnswers(
        [question, reply],
        {},
        {
          [`GET ${chatPath}/messages/reply-1/comparison`]: () => ({ replies }),
          [`POST ${chatPath}/navigate/${wireId}`]: () => aBranch([question, kept]),
        },
      ),
    )
    const one = within(await screen.findByRole('article', { name: 'one' }))
    const two = within(await screen.findByRole('article', { name: 'two' }))
    expect(one.getByText('renew')).toBeTruthy()
    expect((await one.findByText(/4\.1 s · 120 tokens · \$0\.01/)).textContent).toBeTruthy()
    expect(await two.findByText('No room.')).toBeTruthy()
    expect(two.queryByRole('button', { name: 'Keep this one' })).toBeNull()
    await user.click(one.getByRole('button', { name: 'Keep this one' }))
    await screen.findByText('We would like to renew.')
    await waitFor(() => expect(screen.queryByRole('article', { name: 'two' })).toBeNull())
  })
})
