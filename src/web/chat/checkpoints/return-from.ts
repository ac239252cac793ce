import type { TFunction } from 'i18next'
import type { Checkpoint } from '#shared/chat/checkpoints/checkpoints.ts'
import { closeChatPanel } from '../../platform/lib/chat-panel.ts'
import { goToBranch, messageStore, returnTo } from '../messages/messages.tsx'

/** Below this width the list overlays the chat and would hide the result of returning. */
const OVER_THE_CHAT = '(max-width: 1023px)'

/** Returns to a checkpoint from the reply on screen that shows it; shows its branch first if necessary. */
export async function returnFrom(item: Checkpoint, t: TFunction): Promise<void> {
  if (matchMedia(OVER_THE_CHAT).matches) closeChatPanel()
  const shown = messageShowing(item.id)
  if (shown) return returnTo(shown, item, t)
  if (await goToBranch(item.message_id, t)) returnTo(item.message_id, item, t)
}

function messageShowing(id: string): string | null {
  const { messagesById, order } = messageStore.getState()
  return order.find((at) => messagesById[at]?.blocks.some((block) => block.id === id)) ?? null
}
