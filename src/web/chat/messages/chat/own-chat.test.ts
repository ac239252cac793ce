import { afterEach, expect, it } from 'vitest'
import { forgetKept } from '../../../platform/lib/kept/kept.ts'
import { unmadeChats } from '../../../runs/sessions/sessions.ts'
import { keepDraft, readDraft } from '../../composer/composer.tsx'
import { waitingIn } from '../outbox/outbox.ts'
import { moveToOwnChat } from './own-chat.ts'

afterEach(forgetKept)

it('a draft sent at the moment it is moved becomes one message of one chat', async () => {
  const places: string[] = []
  const leaving = {
    sessionId: 'session-1',
    t: ((key: string) => key) as never,
    onNavigate: (to: string) => void places.push(to),
  }
  keepDraft('session-1', 'Mine')
  await moveToOwnChat(null, leaving)
  const message = { clientId: 'a', text: 'Mine', toolChoice: null, waitsFor: null }
  await moveToOwnChat(message, leaving)
  const [id, ...others] = unmadeChats()
  expect(others).toEqual([])
  expect(waitingIn(id ?? '').map(({ text }) => text)).toEqual(['Mine'])
  expect([readDraft('session-1'), readDraft(id ?? '')]).toEqual(['', ''])
  expect(places).toEqual([`/chat/${id}`, `/chat/${id}`])
})
