import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { aChat } from '#tests/web/message-builder.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { readDraft } from '../../chat/composer/composer.tsx'
import { forgetKept } from '../../platform/lib/kept/kept.ts'
import { ReceivedView } from './received-view.tsx'

let received: Map<string, Response> | null

beforeEach(() => {
  received = new Map([['/received/text', new Response('Offer of Martin')]])
  // The test page has no caches of its own.
  Object.assign(globalThis, {
    caches: {
      has: async () => received !== null,
      open: async () => ({ match: async (path: string) => received?.get(path)?.clone() }),
      delete: async () => {
        received = null
        return true
      },
    },
  })
})
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'caches')
  forgetKept()
  leavePage()
})

it('keeps what another app shared until a chat has it', async () => {
  let isRefused = true
  const chat = aChat({})
  await renderPage(<ReceivedView />, {
    path: '/received',
    answers: {
      'POST /sessions': () => (isRefused ? [503, { detail: 'Away', code: 'unavailable' }] : [201, chat]),
    },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('The chat could not be started.')
  expect(received).not.toBeNull()
  isRefused = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(received).toBeNull())
  expect(readDraft(chat.id)).toBe('Offer of Martin')
})
