import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { chatAnswers, leaveChat, openChatView, prepareChat } from '#tests/web/chat-builder.tsx'
import { translate } from '../../platform/i18n/i18n.ts'
import { clearToken, setToken } from '../../platform/lib/me/token.ts'
import { messageStore } from './chat/message-store.ts'
import { sendFailure, sendMessage } from './chat/send.ts'

beforeEach(prepareChat)
afterEach(leaveChat)

const t = ((key: string, values = {}) => translate(key, values)) as never

async function open() {
  const page = await openChatView(chatAnswers([]))
  await screen.findByRole('textbox', { name: 'Message' })
  return page
}

it.each([
  ['without text', 'session-1', ' ', 't'],
  ['without a session', null, 'Hi', 't'],
  ['without a token', 'session-1', 'Hi', null],
])('sends nothing %s [MS-08]', async (_, sessionId, text, token) => {
  const { sent } = await open()
  if (token === null) clearToken()
  expect(sendMessage({ sessionId, text, t, onRefused: () => undefined })).toBe(false)
  setToken('t')
  expect(messageStore.getState().order).toEqual([])
  expect(sent.filter(({ method }) => method === 'POST')).toEqual([])
})

it('names a failure without a reason as an unknown error [MS-12]', async () => {
  await open()
  expect(sendFailure(t, new Error(''))).toBe('Failed to send message: Unknown error')
  expect(sendFailure(t, new Error('No room'))).toBe('Failed to send message: No room')
})
