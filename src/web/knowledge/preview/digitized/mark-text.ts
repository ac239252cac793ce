import { findLetters } from './passage.ts'

const NAME = 'passage'

/** Marks the words of a passage if its blocks contain more than it. Returns a function that removes the marks. */
export function markText(root: Element, text: string): () => void {
  const range = typeof CSS !== 'undefined' && 'highlights' in CSS ? rangeOf(root, text) : null
  if (!range) return () => {}
  CSS.highlights.set(NAME, new Highlight(range))
  return () => void CSS.highlights.delete(NAME)
}

function rangeOf(root: Element, text: string): Range | null {
  const nodes = textNodes(root)
  const whole = nodes.map(({ data }) => data).join('')
  // The blocks are marked as a whole, so their words need no marks.
  if (findLetters(text, whole)) return null
  const found = findLetters(whole, text)
  const from = found && placeIn(nodes, found[0])
  const to = found && placeIn(nodes, found[1] - 1)
  if (!from || !to) return null
  const range = document.createRange()
  range.setStart(from.node, from.at)
  range.setEnd(to.node, to.at + 1)
  return range
}

/** Returns the text nodes of the document, without the headers of its tables and code. */
function textNodes(root: Element): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest('figcaption, .passage-label')
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  )
  const nodes: Text[] = []
  while (walker.nextNode()) nodes.push(walker.currentNode as Text)
  return nodes
}

function placeIn(nodes: readonly Text[], place: number): { node: Text; at: number } | null {
  let at = place
  for (const node of nodes) {
    if (at < node.length) return { node, at }
    at -= node.length
  }
  return null
}
