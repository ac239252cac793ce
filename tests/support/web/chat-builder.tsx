import userEvent from '@testing-library/user-event'
import type { ReactElement } from 'react'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { resetMessages } from '../../../src/web/chat/messages/chat/message-store.ts'
import { ChatView } from '../../../src/web/chat/messages/chat-view.tsx'
import { ToastHost } from '../../../src/web/platform/ui/toasts/toast-host.tsx'
import { leaveRun } from '../../../src/web/runs/runs/runs.ts'
import { aBranch, aChat } from './message-builder.ts'
import { type Answers, leavePage, renderPage } from './render-page.tsx'

/** An id in the server's format. */
export const wireId = '00000000-0000-4000-8000-0000000000f0'
/** API path of the rendered chat. */
export const chatPath = '/sessions/session-1'

/** Prepares a chat test with the layout functions that the test page lacks. */
export function prepareChat(): void {
  globalThis.matchMedia = ((query: string) => ({
    matches: query !== '(pointer: coarse)',
    addEventListener() {},
    removeEventListener() {},
  })) as never
  Element.prototype.scrollTo = () => undefined
  Element.prototype.scrollIntoView = () => undefined
  resetMessages(null)
}

/** Undoes `prepareChat`. */
export function leaveChat(): void {
  leaveRun('session-1')
  leavePage()
}

/** Returns the server's answers about a chat with these messages. */
export function chatAnswers(
  messages: Message[],
  session: Partial<Session> = {},
  more: Answers = {},
): Answers {
  const chat = aChat(session)
  return {
    'GET /sessions': () => ({ items: [chat], total: 1 }),
    [`GET ${chatPath}`]: () => chat,
    [`GET ${chatPath}/active-branch`]: () => aBranch(messages),
    'GET /available-models': () => [],
    [`POST ${chatPath}/stop`]: () => ({ message: 'Stopped' }),
    ...more,
  }
}

/** Renders the chat of an address, and its panel. */
export async function openChatView(
  answers: Answers,
  { path = '/chat/session-1', beside = null as ReactElement | null } = {},
) {
  const chatUid = /chat\/([^?]+)/.exec(path)?.[1] ?? null
  const page = await renderPage(
    <>
      <ChatView chatUid={chatUid} />
      {beside}
      <ToastHost />
    </>,
    { path, answers },
  )
  const called = (call: string) => page.sent.filter(({ method, path }) => `${method} ${path}` === call)
  return { ...page, called, user: userEvent.setup() }
}
