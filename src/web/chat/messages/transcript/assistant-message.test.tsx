import { screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { aMessage } from '#tests/web/message-builder.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { aRequest } from '#tests/web/request-builder.ts'
import type { ChatMessage } from '../chat/message-store.ts'
import { AssistantMessage } from './assistant-message.tsx'

afterEach(leavePage)

it('a reply that waits for its person does not show as working', async () => {
  const aReply = (id: string, blocks: Block[]): ChatMessage => ({
    ...aMessage({ id, role: 'assistant', status: 'streaming', content: '', blocks }),
    key: id,
  })
  await renderPage(
    <>
      <AssistantMessage message={aReply('asks', [aRequest()])} isLast />
      <AssistantMessage message={aReply('works', [])} isLast />
    </>,
  )
  expect(await screen.findAllByText('Working on it')).toHaveLength(1)
})

it("shows only the text of a built-in model's reply, without checkpoints and price", async () => {
  const point = (checkpoint_name: string): Block => ({
    ...{ type: 'checkpoint', id: checkpoint_name, checkpoint_name, created_at: '', run_id: 'r' },
  })
  const blocks: Block[] = [
    point('llm_checkpoint_1'),
    { type: 'text', id: 'text-0', text: '2 + 2 = 4.' },
    point('completed'),
  ]
  const usage = {
    ...{ seconds: 1, calls: 1, input_tokens: 10, output_tokens: 5, amount: 0 },
    ...{ unpriced: true, estimated: true },
  }
  const aReply = (model_name: string): ChatMessage => ({
    ...aMessage({
      id: model_name,
      role: 'assistant',
      model_name,
      blocks,
      content: '2 + 2 = 4.',
      metadata: { usage },
    }),
    key: model_name,
  })
  const texts = async (model: string) => {
    await renderPage(<AssistantMessage message={aReply(model)} isLast />)
    await screen.findByText('2 + 2 = 4.')
    return document.body.textContent
  }
  const framed = await texts('openai/gpt-4o')
  // Replies of other models show both on hover, below the text.
  expect(framed).toMatch(/Point 1|Completed/)
  expect(framed).toMatch(/unpriced/)
  expect(document.querySelector('.run-blocks')?.textContent).toBe('2 + 2 = 4.')
  leavePage()
  expect(await texts('atrium/offline')).not.toMatch(/Point|Completed|unpriced|tokens/)
})
