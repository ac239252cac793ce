import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AvailableModel } from '#shared/models/connections/connections.ts'
import {
  chatAnswers,
  chatPath,
  leaveChat,
  openChatView,
  prepareChat,
  wireId,
} from '#tests/web/chat-builder.tsx'
import { WrittenStream } from '#tests/web/event-builder.ts'
import { aMessage } from '#tests/web/message-builder.ts'
import type { Answers } from '#tests/web/render-page.tsx'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { keepDraft } from '../composer/composer.tsx'

let stream: WrittenStream
beforeEach(() => {
  prepareChat()
  stream = new WrittenStream()
  keepDraft('session-1', '')
})
afterEach(leaveChat)

const model: AvailableModel = {
  ...{ id: 'house/large', name: 'Large', provider: 'house', provider_name: 'House', local: false },
  ...{ context_tokens: 128_000, max_output_tokens: null, input_price: 3, output_price: 15, is_default: true },
}
const costly = { price: { low: 0.9, high: 3.2, runs: 1_240 }, asks_above: 1 }
const said = [
  aMessage({ id: wireId, content: 'Why?' }),
  aMessage({ id: `${wireId.slice(0, -1)}1`, parent_id: wireId, role: 'assistant', content: 'So.' }),
]

async function open(price: unknown, more: Answers = {}) {
  const page = await openChatView(
    chatAnswers(
      said,
      {},
      {
        'GET /available-models': () => [model],
        [`GET ${chatPath}/price`]: () => price,
        [`POST ${chatPath}/messages`]: () => stream.response,
        [`POST ${chatPath}/messages/${said[1]?.id}/regenerate`]: () => stream.response,
        ...more,
      },
    ),
  )
  await screen.findByText('So.')
  await waitFor(() => expect(queryClient.getQueryData(['available-models'])).toBeTruthy())
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  const sends = () => page.called(`POST ${chatPath}/messages`).length
  const asks = () => page.called(`GET ${chatPath}/price`)
  return { ...page, field, sends, asks }
}

it('asks before a costly reply, with the price range and its basis, and keeps the text until it is confirmed [AD-08]', async () => {
  const { user, field, sends } = await open(costly)
  await user.type(field, 'All of it{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'This reply may be costly' })
  expect(dialog.textContent).toContain(
    'It will probably cost between $0.90 and $3.20 (from 1,240 replies like it).',
  )
  const safe = within(dialog).getByRole('button', { name: 'Not now' })
  await waitFor(() => expect(document.activeElement).toBe(safe))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect([sends(), field.value]).toEqual([0, 'All of it'])

  await user.click(field)
  await user.keyboard('{Enter}')
  const again = await screen.findByRole('button', { name: 'Go ahead' })
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Not now'))
  await user.tab()
  expect(document.activeElement).toBe(again)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(sends()).toBe(1))
  expect(field.value).toBe('')
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('shows the price range of an inexpensive reply next to the composer without asking [AD-08]', async () => {
  const { user, field, sends } = await open({ price: { low: 0.02, high: 0.14, runs: 40 }, asks_above: 1 })
  expect(
    await screen.findByText('The reply will probably cost $0.02 to $0.14 (from 40 replies)'),
  ).toBeTruthy()
  await user.type(field, 'And?{Enter}')
  await waitFor(() => expect(sends()).toBe(1))
  expect(screen.queryByRole('dialog')).toBeNull()
})

it("stops asking in a chat at the person's request", async () => {
  const path = `POST ${chatPath}/messages/${said[1]?.id}/regenerate`
  const { user, field, sends, called } = await open(costly, { [path]: () => [500, { detail: 'No.' }] })
  await user.click(await screen.findByRole('button', { name: 'Regenerate' }))
  await user.click(await screen.findByRole('checkbox', { name: 'Do not ask again in this chat' }))
  await user.click(screen.getByRole('button', { name: 'Go ahead' }))
  await waitFor(() => expect(called(path)).toHaveLength(1))
  await screen.findByText('So.')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.type(field, 'Second{Enter}')
  await waitFor(() => expect(sends()).toBe(1))
  localStorage.clear()
})

it('asks before a regeneration, for the question it answers', async () => {
  const { user, called, asks } = await open(costly)
  await user.click(await screen.findByRole('button', { name: 'Regenerate' }))
  await user.click(await screen.findByRole('button', { name: 'Go ahead' }))
  await waitFor(() => expect(called(`POST ${chatPath}/messages/${said[1]?.id}/regenerate`)).toHaveLength(1))
  expect(asks().some(({ query }) => query.get('after') === wireId)).toBe(true)
})

it('does not delay a reply with an unknown price, and requests no prices if no model has one', async () => {
  const failing = await open([500, { detail: 'No.' }])
  await failing.user.type(failing.field, 'Go{Enter}')
  await waitFor(() => expect(failing.sends()).toBe(1))
  leaveChat()
  keepDraft('session-1', '')
  prepareChat()
  stream = new WrittenStream()
  const free = { ...model, input_price: null, output_price: null }
  const page = await open(costly, { 'GET /available-models': () => [free] })
  await page.user.type(page.field, 'Go{Enter}')
  await waitFor(() => expect(page.sends()).toBe(1))
  expect(page.asks()).toHaveLength(0)
})
