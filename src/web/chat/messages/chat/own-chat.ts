import type { TFunction } from 'i18next'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { knownSession, loadAhead } from '../../../runs/sessions/sessions.ts'
import { giveDraft, hasOwnDraft, keepDraft, moveDraft, readDraft } from '../../composer/composer.tsx'
import { dropWaiting, putWaiting, type Waiting } from '../outbox/outbox.ts'
import { newClientId } from './temporary.ts'

type Leaving = { sessionId: string | null; t: TFunction; onNavigate?: (to: string) => void }

/** Target chat of moved drafts and messages: one chat, however often something is moved. */
const ownChats = new Map<string, string>()

/**
 * Another tab or device has used a new chat, so this tab's draft or message moves to a chat of its own with the same
 * settings. @throws if that cannot be loaded; then nothing has changed
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
    // It was sent at the moment it was moved as a draft.
    if (readDraft(id) === message.text) {
      keepDraft(id, '')
      giveDraft(id, '')
    }
    // With a new id, because the old one may just have been tried and would be delayed. Its files stay in their chat.
    putWaiting(id, { ...message, files: [], clientId: newClientId() })
    dropWaiting(sessionId, message.clientId)
  }
  // A message being sent stays in its field until it is accepted.
  if (readDraft(sessionId) !== message?.text) moveDraft(sessionId, id)
  toast.info(t('streaming_blocks:outbox.own_chat'))
  onNavigate?.(`/chat/${id}`)
}
