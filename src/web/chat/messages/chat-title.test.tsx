import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { chatAnswers, chatPath, leaveChat, openChatView, prepareChat } from '#tests/web/chat-builder.tsx'
import { aChat } from '#tests/web/message-builder.ts'

beforeEach(prepareChat)
afterEach(leaveChat)

it('the title of a chat is edited in place, and reverts after a refusal [SE-07, SE-08]', async () => {
  let isRefused = false
  // Later requests return the new title.
  let chat = aChat()
  const rename = ({ body }: { body: unknown }) => {
    if (isRefused) return [500, { detail: 'No' }]
    chat = aChat(body as Session)
    return chat
  }
  const page = await openChatView({
    ...chatAnswers([]),
    'GET /sessions': () => ({ items: [chat], total: 1 }),
    [`GET ${chatPath}`]: () => chat,
    [`PUT ${chatPath}/rename`]: rename,
  })
  const change = async (to: string) => {
    await page.user.click(await screen.findByRole('button', { name: /^Prices/ }))
    const title = await screen.findByRole('textbox', { name: 'Title of the chat' })
    await page.user.clear(title)
    await page.user.type(title, `${to}{Enter}`)
  }
  await change('Prices of 2027')
  expect(await screen.findByRole('heading', { name: 'Prices of 2027' })).toBeTruthy()
  expect(page.called(`PUT ${chatPath}/rename`)[0]?.body).toEqual({ title: 'Prices of 2027' })
  isRefused = true
  await change('Other')
  expect(await screen.findByText('Failed to rename session')).toBeTruthy()
  expect(await screen.findByRole('heading', { name: /^Prices/ })).toBeTruthy()
})
