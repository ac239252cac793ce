import { closeChatPanel, openPanel, useChatPanel } from '../../../platform/lib/chat-panel.ts'

/** Returns whether the branch map is open next to the chat, and a function that toggles it. */
export function useBranchMap(): { isOpen: boolean; toggle: () => void } {
  const isOpen = useChatPanel((state) => state.shown === 'branches')
  return { isOpen, toggle: () => (isOpen ? closeChatPanel() : openPanel('branches')) }
}
