import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswers, chatPath, leaveChat, openChatView, prepareChat } from '#tests/web/chat-builder.tsx'
import { aMessage } from '#tests/web/message-builder.ts'
import type { Answers } from '#tests/web/render-page.tsx'

beforeEach(() => prepareChat())
afterEach(() => leaveChat())

const parts = {
  instructions: 2900,
  memory: 400,
  documents: 38_400,
  history: 27_100,
  summaries: 4200,
  tools: 6300,
  work: 0,
}
const use = { model_name: 'house/one', window: 128_000, total: 79_300, is_estimated: false, parts }

async function open(messages = 14, more: Answers = {}) {
  const question = aMessage({ id: 'question-1', role: 'user', content: 'What is it?' })
  const reply = aMessage({ id: 'reply-1', role: 'assistant', content: 'The price.', parent_id: question.id })
  return openChatView(
    chatAnswers(
      [question, reply],
      {},
      {
        [`GET ${chatPath}/context-use`]: () => ({ use, messages, summarised: 31 }),
        [`POST ${chatPath}/summary`]: () => ({ message_id: 'reply-1', summary: 'Kessler charges 14.90.' }),
        ...more,
      },
    ),
  )
}

describe('the window of the model', () => {
  it('opens its parts, and a summary appears below its last message', async () => {
    const { user } = await open()
    await user.click(
      await screen.findByRole('button', { name: '62% of the model’s window used' }, { timeout: 5000 }),
    )
    await screen.findByText('79,300 of 128,000 tokens, one')
    for (const [name, tokens] of [
      ['Documents', '38,400'],
      ['History', '27,100'],
      ['Summaries', '4,200'],
      ['Tools', '6,300'],
      ['Instructions', '2,900'],
      ['Memory', '400'],
    ] as const)
      expect(screen.getByText(name).closest('div')?.textContent).toContain(tokens)
    expect(screen.queryByText('Work of the last reply')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Summarize now' }))
    await screen.findByText('Kessler charges 14.90.')
  })

  it('says when the chat has changed during a summary', async () => {
    const { user } = await open(14, {
      [`POST ${chatPath}/summary`]: () => [409, { detail: 'It continued.', code: 'conflict' }],
    })
    await user.click(await screen.findByRole('button', { name: /window used/ }, { timeout: 5000 }))
    await user.click(await screen.findByRole('button', { name: 'Summarize now' }))
    expect(await screen.findByText('The chat has changed. Summarize it again.')).toBeTruthy()
  })

  it('offers no summary when nothing came after the last one', async () => {
    const { user, called } = await open(0)
    await user.click(await screen.findByRole('button', { name: /window used/ }, { timeout: 5000 }))
    const button = await screen.findByRole('button', { name: 'Summarize now' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await user.click(button)
    await waitFor(() => expect(called(`POST ${chatPath}/summary`)).toEqual([]))
  })
})
