import { useEffect } from 'react'

/** Ctrl/Cmd+Shift+O starts a chat, Ctrl/Cmd+K searches. While a dialog is open the keys belong to it. */
export function useShortcuts({ onNewChat, onSearch }: { onNewChat: () => void; onSearch: () => void }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing || event.repeat) return
      const key = event.key.toLowerCase()
      const action =
        key === 'o' && event.shiftKey ? onNewChat : key === 'k' && !event.shiftKey ? onSearch : null
      if (!action || document.querySelector('[role="dialog"][data-open], [role="alertdialog"][data-open]'))
        return
      event.preventDefault()
      action()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [onNewChat, onSearch])
}
