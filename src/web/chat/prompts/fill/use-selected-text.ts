import { useCallback, useEffect, useRef } from 'react'

/** Maximum characters of selected text. */
const MAX_CHARACTERS = 50_000

/**
 * Returns a function that reads what the person selected last in the messages of a chat. The composer takes the selection away, so
 * it is noted as it changes.
 */
export function useSelectedText(sessionId: string | null): () => string {
  const selected = useRef('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a selection belongs to its chat.
  useEffect(() => {
    selected.current = ''
    const note = () => {
      const selection = document.getSelection()
      const node = selection?.anchorNode
      const element = node instanceof Element ? node : node?.parentElement
      if (!selection || !element?.closest('main') || element.closest('[data-composer], [data-prompt-dock]'))
        return
      selected.current = selection.toString().trim().slice(0, MAX_CHARACTERS)
    }
    document.addEventListener('selectionchange', note)
    return () => document.removeEventListener('selectionchange', note)
  }, [sessionId])
  return useCallback(() => selected.current, [])
}
