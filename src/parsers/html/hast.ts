import type { Element as HastElement, Nodes, Root, RootContent } from 'hast'
import { fromHtml } from 'hast-util-from-html'
import { Unreadable } from '../elements/port.ts'

export type { HastElement, Nodes, Root }
export type Content = RootContent

/** Pages that are nested deeper were made to exhaust a reader. */
const MOST_DEPTH = 1500

/** HTML as a tree, as browsers read it. @throws Unreadable when it is nested absurdly deep */
export function parseHtml(text: string): Root {
  try {
    const root = fromHtml(text)
    assertShallow(root)
    return root
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable('damaged', {}, { cause: error })
    throw error
  }
}

/** A property as text: lists (`class`, `rel`) by spaces. Empty where it is not set. */
export function attribute(node: HastElement, name: string): string {
  const value = node.properties[name]
  if (Array.isArray(value)) return value.join(' ')
  return value === null || value === undefined || value === false ? '' : String(value)
}

/** All text below, as it stands. */
export function textBelow(node: Nodes): string {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textBelow).join('') : ''
}

/** All elements that hold a rule, at any depth; those inside of one that was found stay out. */
export function findElements(node: Nodes, holds: (element: HastElement) => boolean): HastElement[] {
  if (!('children' in node)) return []
  return node.children.flatMap((child) =>
    child.type === 'element' && holds(child) ? [child] : findElements(child, holds),
  )
}

function assertShallow(root: Root): void {
  const open: [node: Nodes, depth: number][] = [[root, 0]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, depth] = next
    if (depth > MOST_DEPTH) throw new Unreadable('damaged', {}, { cause: new Error('nested too deep') })
    if ('children' in node) for (const child of node.children) open.push([child, depth + 1])
  }
}
