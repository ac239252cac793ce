import { closeChatPanel, openPanel, useChatPanel } from '../../../platform/lib/chat-panel.ts'

/** Whether the branch map stands beside the chat, and the way to open and close it. */
export function useBranchMap(): { isOpen: boolean; toggle: () => void } {
  const isOpen = useChatPanel((state) => state.shown === 'branches')
  return { isOpen, toggle: () => (isOpen ? closeChatPanel() : openPanel('branches')) }
}
