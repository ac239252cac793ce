import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { chatAnswers, chatPath, leaveChat, openChatView, prepareChat } from '#tests/web/chat-builder.tsx'
import { aCompletion, anInit, aView, onWire, WrittenStream } from '#tests/web/event-builder.ts'
import { aMessage } from '#tests/web/message-builder.ts'
import { useAnnouncement } from './chat/announcements.ts'

beforeEach(prepareChat)
afterEach(leaveChat)

it('a chat says that no worker is running until one is', async () => {
  const stream = new WrittenStream()
  const before = [aMessage(), aMessage({ role: 'assistant', content: 'Before' })]
  const page = await openChatView(
    chatAnswers(before, {}, { [`POST ${chatPath}/messages`]: () => stream.response }),
  )
  await screen.findByText('Before')
  await page.user.type(screen.getByRole('textbox', { name: 'Message' }), 'And now?{Enter}')
  stream.write(anInit(aView()), onWire({ event: 'agent_delayed', reason: 'no_worker', timestamp: '' }))
  const said = /The part of the server that writes replies is not running/
  // Both on the page and for screen readers.
  await waitFor(() => expect(screen.getAllByText(said)).toHaveLength(2))
  stream.write(onWire({ event: 'response_chunk', content: 'Here it is' }, '1'))
  await screen.findByText('Here it is')
  const articles = screen.getAllByRole('article')
  expect(articles.some(({ textContent }) => said.test(textContent ?? ''))).toBe(false)
  stream.write(onWire(aCompletion(), '2')).close()
})

it('a chat names the limit it waits for, then the fallback that answered, live and from history [AD-17]', async () => {
  const stream = new WrittenStream()
  const instead = {
    ...{ asked: { id: 'openai/gpt-4o', name: 'gpt-4o' }, answered: { id: 'vllm/qwen3', name: 'qwen3' } },
    reason: 'unreachable' as const,
  }
  const before = aMessage({
    role: 'assistant',
    blocks: [
      { type: 'fallback', id: 'fallback-0', ...instead },
      { type: 'text', id: 'text-1', text: 'Before' },
    ],
  })
  const page = await openChatView(
    chatAnswers([aMessage(), before], {}, { [`POST ${chatPath}/messages`]: () => stream.response }),
  )
  await screen.findByText('Before')
  const line = 'Answered by qwen3, because gpt-4o could not be reached.'
  expect(screen.getAllByText(line)).toHaveLength(1)
  await page.user.type(screen.getByRole('textbox', { name: 'Message' }), 'And now?{Enter}')
  const limit = { of: 'requests' as const, per_minute: 1200 }
  stream.write(anInit(aView()), onWire({ event: 'model_waiting', limit }, '1'))
  const waiting = 'Waiting for room: the limit of 1,200 requests a minute is reached.'
  await screen.findByText(waiting)
  // Screen readers are notified once, however many calls wait, and not again until it continues.
  const spoken = screen.getAllByRole('status').find(({ className }) => className.includes('sr-only'))
  const told = 'A limit per minute is reached. The reply waits for its turn and then continues automatically.'
  await waitFor(() => expect(spoken?.textContent).toBe(told))
  expect(spoken?.getAttribute('aria-live')).toBe('polite')
  const said: string[] = []
  const leave = useAnnouncement.subscribe(({ last }) => said.push(last?.occasion ?? ''))
  stream.write(onWire({ event: 'model_waiting', limit: { ...limit, of: 'tokens' } }, '2'))
  await screen.findByText('Waiting for room: the limit of 1,200 tokens a minute is reached.')
  leave()
  expect(said).toEqual([])
  stream.write(onWire({ event: 'model_waiting', limit: null }, '3'))
  await waitFor(() => expect(screen.queryByText(waiting)).toBeNull())
  stream.write(onWire({ event: 'model_waiting', limit: { of: 'turn', ahead: 2 } }, '3.1'))
  await screen.findByText('2 questions are answered before yours.')
  const begins = 'The model has not begun to answer. The reply continues automatically.'
  await waitFor(() => expect(spoken?.textContent).toBe(begins))
  stream.write(onWire({ event: 'model_waiting', limit: { of: 'model' } }, '3.2'))
  await screen.findByText('The model has not begun to answer. It may still be loading.')
  stream.write(onWire({ event: 'model_waiting', limit: null }, '3.3'))
  stream.write(onWire({ event: 'model_fallback', ...instead }, '4'))
  // Earlier messages are virtualized; the newest one counts.
  const newest = () => screen.getAllByRole('article').at(-1)?.textContent
  await waitFor(() => expect(newest()).toContain(line))
  stream.write(onWire({ event: 'response_chunk', content: 'Here it is' }, '5'))
  stream.write(onWire(aCompletion(), '6')).close()
  await screen.findByText('Here it is')
  expect(newest()).toContain(line)
})
