import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { aCompletion, anInit, aView, onWire, WrittenStream } from '../runs/event-builder.ts'
import { aMessage } from './chat/message-builder.ts'
import { chatAnswers, chatPath, leaveChat, openChatView, prepareChat } from './chat-builder.tsx'

beforeEach(prepareChat)
afterEach(leaveChat)

it('a chat says that nobody writes until somebody does', async () => {
  const stream = new WrittenStream()
  const before = [aMessage(), aMessage({ role: 'assistant', content: 'Before' })]
  const page = await openChatView(
    chatAnswers(before, {}, { [`POST ${chatPath}/messages`]: () => stream.response }),
  )
  await screen.findByText('Before')
  await page.user.type(screen.getByRole('textbox', { name: 'Message' }), 'And now?{Enter}')
  stream.write(anInit(aView()), onWire({ event: 'agent_delayed', reason: 'no_worker', timestamp: '' }))
  const said = /The part of the server that writes replies is not running/
  // On the page, and for screen readers.
  await waitFor(() => expect(screen.getAllByText(said)).toHaveLength(2))
  stream.write(onWire({ event: 'response_chunk', content: 'Here it is' }, '1'))
  await screen.findByText('Here it is')
  const articles = screen.getAllByRole('article')
  expect(articles.some(({ textContent }) => said.test(textContent ?? ''))).toBe(false)
  stream.write(onWire(aCompletion(), '2')).close()
})
