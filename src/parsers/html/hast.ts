import type { Element as HastElement, Nodes, Root, RootContent } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { defaultTreeAdapter, parse } from 'parse5'
import { Unreadable } from '../elements/port.ts'

export type { HastElement, Nodes, Root }
export type Content = RootContent

/** Pages nested deeper are made to exhaust a parser. */
const MAX_DEPTH = 1500
/** A page with more elements takes longer than half a minute. */
const MAX_ELEMENTS = 1_000_000

/** Parses HTML as browsers do. @throws Unreadable when it is nested absurdly deep */
export function parseHtml(text: string): Root {
  try {
    const root = fromParse5(parse(text, { scriptingEnabled: false, treeAdapter: shallowTree() })) as Root
    assertShallow(root)
    return root
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable('damaged', {}, { cause: error })
    throw error
  }
}

/** A property as text: the items of lists (`class`, `rel`) separated by spaces. Empty if it is not set. */
export function attribute(node: HastElement, name: string): string {
  const value = node.properties[name]
  if (Array.isArray(value)) return value.join(' ')
  return value === null || value === undefined || value === false ? '' : String(value)
}

/** All text below a node, unchanged. */
export function textBelow(node: Nodes): string {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textBelow).join('') : ''
}

/** All elements of a tree, parents first. */
export function* everyElement(root: Nodes): Generator<HastElement> {
  const open: Nodes[] = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'element') yield node
    if ('children' in node) for (const child of node.children.toReversed()) open.push(child)
  }
}

/** All elements that match, at any depth; those inside a match are left out. */
export function findElements(node: Nodes, holds: (element: HastElement) => boolean): HastElement[] {
  if (!('children' in node)) return []
  return node.children.flatMap((child) =>
    child.type === 'element' && holds(child) ? [child] : findElements(child, holds),
  )
}

/** Builds the tree of a page and stops when it becomes too deep or too large: the cost of an element grows with its depth. */
function shallowTree(): typeof defaultTreeAdapter {
  let depth = 0
  let elements = 0
  return {
    ...defaultTreeAdapter,
    createElement: (...named) => {
      if (++elements > MAX_ELEMENTS)
        throw new Unreadable('damaged', {}, { cause: new Error('too many elements') })
      return defaultTreeAdapter.createElement(...named)
    },
    onItemPush: () => {
      if (++depth > MAX_DEPTH) throw tooDeep()
    },
    onItemPop: () => {
      depth--
    },
  }
}

const tooDeep = () => new Unreadable('damaged', {}, { cause: new Error('nested too deep') })

function assertShallow(root: Root): void {
  const open: [node: Nodes, depth: number][] = [[root, 0]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, depth] = next
    if (depth > MAX_DEPTH) throw tooDeep()
    if ('children' in node) for (const child of node.children) open.push([child, depth + 1])
  }
}
