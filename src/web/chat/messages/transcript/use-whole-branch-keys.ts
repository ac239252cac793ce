import { useEffect } from 'react'
import { translate } from '../../../platform/i18n/i18n.ts'
import { openPanel, useChatPanel } from '../../../platform/lib/chat-panel.ts'
import { setPrinting } from '../../../platform/lib/printing/printing.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { loadGap, loadOlder } from '../chat/chat.ts'
import { gapOf, messageStore } from '../chat/message-store.ts'

/** Maximum messages of a printed branch; a longer one must be exported. */
const MAX_PRINTED = 2_000
const WAIT_MS = 1_500

/**
 * Ctrl/Cmd+P reads the rest of the branch before it prints, and Ctrl/Cmd+F opens the search of the chat, because the
 * browser sees only what is in the page. When everything is in the page, or on a second press, the browser handles the keys.
 */
export function useWholeBranchKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isPlain = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && !event.repeat
      const key = event.key.toLowerCase()
      if (!isPlain || event.defaultPrevented || document.querySelector('[role="dialog"][data-open]')) return
      if (key === 'p' && isLacking()) void printAll()
      else if (key === 'f' && !isAllInPage() && !isSearching()) openPanel('branches', 'find')
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

const isLacking = () => messageStore.getState().hasOlder || gapOf(messageStore.getState()) !== null

function isAllInPage(): boolean {
  return document.querySelectorAll('.transcript [data-message]').length >= messageStore.getState().total
}

function isSearching(): boolean {
  const { shown, subject } = useChatPanel.getState()
  return shown === 'branches' && subject === 'find'
}

async function printAll(): Promise<void> {
  void toast.info(translate('streaming_blocks:print.reading'))
  try {
    while (isLacking() && messageStore.getState().order.length < MAX_PRINTED) await loadPage()
  } catch {
    // The printout names the missing messages.
  }
  setPrinting(true)
  // Let formulas, colours and pictures of the new messages load.
  await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  window.print()
  setPrinting(false)
}

/** @throws when nothing more could be read */
async function loadPage(): Promise<void> {
  const before = messageStore.getState().order.length
  await (gapOf(messageStore.getState()) ? loadGap('below') : loadOlder())
  if (messageStore.getState().loadingMore) await new Promise((resolve) => setTimeout(resolve, 100))
  else if (messageStore.getState().order.length === before) throw new Error('No more messages came.')
}
