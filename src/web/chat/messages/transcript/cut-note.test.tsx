import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { chatAnswers, chatPath, leaveChat, openChatView, prepareChat } from '#tests/web/chat-builder.tsx'
import { aMessage } from '#tests/web/message-builder.ts'

beforeEach(prepareChat)
afterEach(leaveChat)

const at = '2026-11-22T12:00:00.000Z'
const question = aMessage({ content: 'Go' })
const reply = aMessage({
  role: 'assistant',
  content: 'So far',
  blocks: [
    { type: 'text', id: 'text-0', text: 'So far', is_cut: true },
    { type: 'checkpoint', id: 'run:completed', run_id: 'run', checkpoint_name: 'completed', created_at: at },
  ],
  parent_id: question.id,
})

it('a reply that reached the output limit offers to continue', async () => {
  const { user, called } = await openChatView(chatAnswers([question, reply]))
  await user.click(await screen.findByRole('button', { name: 'Continue' }))
  const posts = () => called(`POST ${chatPath}/messages`)
  await waitFor(() => expect(posts()).toHaveLength(1))
  expect(posts()[0]?.body).toMatchObject({ content: 'Please continue exactly where you stopped.' })
})

it('a reply that a content filter stopped says so, and does not offer to continue', async () => {
  const blocks = [{ type: 'text' as const, id: 'text-0', text: 'So far', is_filtered: true }]
  const filtered = aMessage({ role: 'assistant', content: 'So far', blocks, parent_id: question.id })
  await openChatView(chatAnswers([question, filtered]))
  await screen.findByText('The content filter of the model provider stopped the answer here.')
  expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull()
})

it('a reply that was continued does not', async () => {
  const more = aMessage({ content: 'And then?', parent_id: reply.id })
  await openChatView(chatAnswers([question, reply, more]))
  await screen.findByText('And then?')
  expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull()
})
