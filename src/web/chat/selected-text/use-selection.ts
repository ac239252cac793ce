import { useEffect, useState } from 'react'

/** Text that a person selected in a reply, and its place on the screen. */
export type Selected = { text: string; rect: DOMRect; article: HTMLElement }

/** Maximum characters of a selected text. */
const MAX_CHARACTERS = 20_000
/** A selection grows while the pointer moves; it counts when it rests. */
const RESTS_MS = 200

/** Returns what is selected in one reply of the chat; null without a selection, and while it changes. */
export function useSelection(): { selected: Selected | null; drop: () => void } {
  const [selected, setSelected] = useState<Selected | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const look = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setSelected(readSelected()), RESTS_MS)
    }
    const follow = () => setSelected((before) => (before ? readSelected() : null))
    // The person may have selected it before this code was loaded.
    look()
    document.addEventListener('selectionchange', look)
    window.addEventListener('scroll', follow, true)
    window.addEventListener('resize', follow)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('selectionchange', look)
      window.removeEventListener('scroll', follow, true)
      window.removeEventListener('resize', follow)
    }
  }, [])
  const drop = () => {
    document.getSelection()?.removeAllRanges()
    setSelected(null)
  }
  return { selected, drop }
}

function readSelected(): Selected | null {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  const article = replyOf(range.startContainer)
  // A paragraph selected by three clicks ends before the first character of what follows it.
  const end = range.endOffset === 0 ? article : replyOf(range.endContainer)
  if (!article || article !== end) return null
  const text = selection.toString().trim().slice(0, MAX_CHARACTERS)
  return text ? { text, rect: rectOf(range, article), article } : null
}

/** Returns the place of the selected text that lies in its reply. */
function rectOf(range: Range, article: HTMLElement): DOMRect {
  if (article.contains(range.endContainer)) return range.getBoundingClientRect()
  const own = range.cloneRange()
  own.setEndAfter(article.querySelector('.run-blocks') ?? article)
  return own.getBoundingClientRect()
}

/** Returns the message that contains a node of a reply's text. */
function replyOf(node: Node): HTMLElement | null {
  const element = node instanceof Element ? node : node.parentElement
  return element?.closest('.run-blocks') ? element.closest<HTMLElement>('article[data-message]') : null
}
