import { screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { aMessage } from '#tests/web/message-builder.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { aRequest } from '#tests/web/request-builder.ts'
import type { ChatMessage } from '../chat/message-store.ts'
import { AssistantMessage } from './assistant-message.tsx'

afterEach(leavePage)

it('a reply that waits for its person does not say that it works', async () => {
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
