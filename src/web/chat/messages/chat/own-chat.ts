import type { TFunction } from 'i18next'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { knownSession, loadAhead } from '../../../runs/sessions/sessions.ts'
import { giveDraft, hasOwnDraft, keepDraft, moveDraft, readDraft } from '../../composer/composer.tsx'
import { dropWaiting, putWaiting, type Waiting } from '../outbox/outbox.ts'
import { newClientId } from './temporary.ts'

type Leaving = { sessionId: string | null; t: TFunction; onNavigate?: (to: string) => void }

/** Where what was written for a chat went: one chat, however often something is moved. */
const ownChats = new Map<string, string>()

/**
 * A new chat was begun in another tab or on another device: what this one has written for it, a message or a draft, goes
 * to a chat of its own, which is set like it. @throws when that cannot be loaded; then nothing has changed
 */
export async function moveToOwnChat(
  message: Waiting | null,
  { sessionId, t, onNavigate }: Leaving,
): Promise<void> {
  if (!sessionId) return
  const { beginChat } = await loadAhead()
  if (!message && !hasOwnDraft(sessionId)) return
  const id = ownChats.get(sessionId) ?? beginChat(knownSession(sessionId))
  ownChats.set(sessionId, id)
  if (message) {
    // Sent in the moment in which it was moved as a draft.
    if (readDraft(id) === message.text) {
      keepDraft(id, '')
      giveDraft(id, '')
    }
    // Under another name: the one it had may just have been tried, and would be left alone for a while.
    putWaiting(id, { ...message, clientId: newClientId() })
    dropWaiting(sessionId, message.clientId)
  }
  // What is being sent stands in its field until it was taken.
  if (readDraft(sessionId) !== message?.text) moveDraft(sessionId, id)
  toast.info(t('streaming_blocks:outbox.own_chat'))
  onNavigate?.(`/chat/${id}`)
}
