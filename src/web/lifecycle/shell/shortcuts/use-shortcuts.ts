import { useEffect } from 'react'
import { isComposing } from '../../../platform/lib/enter-key.ts'

type Actions = { onNewChat: () => void; onSearch: () => void; onHelp: () => void }

/** Ctrl/Cmd+Shift+O starts a chat, Ctrl/Cmd+K searches, ? shows the shortcuts. Disabled while a dialog is open. */
export function useShortcuts({ onNewChat, onSearch, onHelp }: Actions): void {
  useEffect(() => {
    const actionOf = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      if (!event.ctrlKey && !event.metaKey) return key === '?' && !isWriting(event) ? onHelp : null
      if (key === 'o' && event.shiftKey) return onNewChat
      return key === 'k' && !event.shiftKey ? onSearch : null
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || isComposing(event) || event.repeat) return
      const action = actionOf(event)
      if (!action || document.querySelector('[role="dialog"][data-open], [role="alertdialog"][data-open]'))
        return
      event.preventDefault()
      action()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [onNewChat, onSearch, onHelp])
}

function isWriting({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}
