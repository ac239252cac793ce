import { type Kysely, sql } from 'kysely'
import type { Fork } from '#shared/chat/messages/messages.ts'
import type { Tables } from '../../platform/db/tables.ts'

/** Marker in place of a parent: a visit to a leaf, not a new message. */
const VISIT = '!'

/** A message's position in the session tree. */
export type TreeNode = {
  id: string
  parent: TreeNode | null
  children: TreeNode[]
  /** Number of messages before it. */
  depth: number
  /** The most recently written leaf below it. */
  newest: TreeNode
  /** The most recently viewed leaf below it. */
  last: TreeNode
  /** When it was written and last viewed, as positions in the session's event order. */
  written: number
  seen: number
}

export type Tree = { nodes: ReadonlyMap<string, TreeNode>; roots: readonly TreeNode[]; leafCount: number }

/** Loads the tree of a session without texts: one query with one value, whatever its size. */
export async function loadTree(db: Kysely<Tables>, sessionId: string): Promise<Tree> {
  const { rows } = await sql<{ occasions: string | null }>`
    select string_agg(id || ' ' || parent, E'\\n' order by at, id) as occasions from (
      select id, coalesce(parent_id::text, '') as parent, created_at as at
      from messages where session_id = ${sessionId}
      union all
      select leaf_id, ${VISIT}, visited_at from branch_visits where session_id = ${sessionId}
    ) occasions`.execute(db)
  return buildTree(rows[0]?.occasions?.split('\n') ?? [])
}

/** @param occasions `id parent`, in the order in which they happened */
function buildTree(occasions: readonly string[]): Tree {
  const nodes = new Map<string, TreeNode>()
  const parents = new Map<TreeNode, string>()
  occasions.forEach((occasion, at) => {
    const [id = '', parent = ''] = occasion.split(' ')
    const known = nodes.get(id)
    if (parent === VISIT) {
      if (known) known.seen = at
      return
    }
    const node = newNode(id, at)
    nodes.set(id, node)
    parents.set(node, parent)
  })
  const roots: TreeNode[] = []
  for (const [node, parent] of parents) {
    node.parent = nodes.get(parent) ?? null
    if (node.parent) node.parent.children.push(node)
    else roots.push(node)
  }
  const fromTop = [...roots]
  for (const node of fromTop) {
    for (const child of node.children) child.depth = node.depth + 1
    fromTop.push(...node.children)
  }
  for (const node of fromTop.reverse()) {
    for (const { newest, last } of node.children) {
      if (node.newest === node || newest.written > node.newest.written) node.newest = newest
      if (node.last === node || last.seen > node.last.seen) node.last = last
    }
  }
  return { nodes, roots, leafCount: fromTop.filter(isLeaf).length }
}

function newNode(id: string, at: number): TreeNode {
  const node: Omit<TreeNode, 'newest' | 'last'> = {
    ...{ id, parent: null, children: [], depth: 0, written: at, seen: at },
  }
  // A message without replies is its own leaf.
  const leaf = node as TreeNode
  leaf.newest = leaf
  leaf.last = leaf
  return leaf
}

function isLeaf({ children }: TreeNode): boolean {
  return children.length === 0
}

/** Returns the path from the root to this message. */
export function pathTo(node: TreeNode): TreeNode[] {
  const path: TreeNode[] = []
  for (let at: TreeNode | null = node; at; at = at.parent) path.push(at)
  return path.reverse()
}

/** Returns a message and its alternatives, oldest first. */
export function siblingsOf({ roots }: Tree, node: TreeNode): readonly TreeNode[] {
  return node.parent ? node.parent.children : roots
}

/** Returns a message's position among its alternatives; null when it has none. */
export function forkAt(tree: Tree, node: TreeNode): Fork | null {
  const siblings = siblingsOf(tree, node)
  if (siblings.length < 2) return null
  const others = siblings.filter((sibling) => sibling !== node)
  const longest = others.reduce((one, other) => (laterOf(other) > laterOf(one) ? other : one))
  return {
    ...{ message_id: node.id, position: siblings.indexOf(node) + 1, count: siblings.length },
    ...{ later: laterOf(longest), later_id: longest.id },
  }
}

/** Returns how many messages follow on the way to the most recently viewed leaf. */
function laterOf(node: TreeNode): number {
  return node.last.depth - node.depth
}

/** Returns whether a message is an ancestor of another, or equal to it. */
export function isBefore(node: TreeNode, other: TreeNode): boolean {
  let at: TreeNode | null = other
  while (at && at.depth > node.depth) at = at.parent
  return at === node
}

/** Numbers the leaves from 1, in the order of their alternatives, oldest first. */
export function branchNumbers({ roots }: Tree): Map<TreeNode, number> {
  const numbers = new Map<TreeNode, number>()
  const open = [...roots].reverse()
  for (let node = open.pop(); node; node = open.pop()) {
    if (isLeaf(node)) numbers.set(node, numbers.size + 1)
    for (let at = node.children.length - 1; at >= 0; at -= 1) open.push(node.children[at] as TreeNode)
  }
  return numbers
}
