import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { chatAnswers, chatPath, leaveChat, openChatView, prepareChat } from '#tests/web/chat-builder.tsx'
import { aBranch, aMessage } from '#tests/web/message-builder.ts'
import type { Answers } from '#tests/web/render-page.tsx'
import { messageStore } from '../chat/message-store.ts'

beforeEach(prepareChat)
afterEach(leaveChat)

const path = Array.from({ length: 6 }, (_, at) =>
  aMessage({ content: `Part ${at}`, role: at % 2 ? 'assistant' : 'user' }),
)
path.forEach((message, at) => {
  message.parent_id = path[at - 1]?.id ?? null
})
/** One message per page, the newest first. */
const page: Answers[string] = ({ query }) => {
  const before = query.get('before')
  const end = before ? path.findIndex(({ id }) => id === before) : path.length
  return aBranch(path.slice(end - 1, end), { total: path.length, start: end - 1, has_more: end > 1 })
}
const open = (branch: Answers[string]) =>
  openChatView(chatAnswers([], {}, { [`GET ${chatPath}/active-branch`]: branch }))
const isWhole = () => expect(messageStore.getState().order).toEqual(path.map(({ id }) => id))

it('continues loading after a page of one large message, until the visible part is complete', async () => {
  const { called } = await open(page)
  await waitFor(isWhole)
  expect(messageStore.getState().hasOlder).toBe(false)
  expect(called(`GET ${chatPath}/active-branch`)).toHaveLength(path.length)
})

it('continues loading while a chat that was left still waits for its page', async () => {
  const { called } = await open((asked) =>
    asked.query.has('before') ? new Promise(() => undefined) : page(asked),
  )
  await waitFor(() => expect(called(`GET ${chatPath}/active-branch`)).toHaveLength(2))
  leaveChat()
  prepareChat()
  await open(page)
  await waitFor(isWhole)
})
