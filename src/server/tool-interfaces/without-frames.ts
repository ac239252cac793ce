import { fromHtml } from 'hast-util-from-html'
import { toHtml } from 'hast-util-to-html'
import { AppError } from '#shared/errors.ts'

const framing = new Set(['iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'portal', 'fencedframe'])

type Node = { type: string; tagName?: string; children?: Node[]; content?: Node }

/**
 * A page without pages in it; one that has none is given as it is. @throws AppError `unavailable` for one that would have some
 * again once it is read anew
 */
export function withoutFrames(html: string): string {
  const tree = fromHtml(html) as Node
  if (!strip(tree)) return html
  const stripped = toHtml(tree as Parameters<typeof toHtml>[0], { allowDangerousHtml: false })
  if (strip(fromHtml(stripped) as Node))
    throw new AppError('unavailable', 'The page of this interface has pages within it.')
  return stripped
}

/** Takes them out; whether there were any. */
function strip(node: Node): boolean {
  let found = false
  if (node.content) found = strip(node.content)
  if (!node.children) return found
  const kept = node.children.filter(({ tagName }) => !framing.has(tagName ?? ''))
  found ||= kept.length < node.children.length
  node.children = kept
  for (const child of kept) if (strip(child)) found = true
  return found
}
