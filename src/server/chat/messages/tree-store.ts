import { type Kysely, sql } from 'kysely'
import type { Fork } from '#shared/chat/messages/messages.ts'
import type { Tables } from '../../platform/db/tables.ts'

/** Stands for the parent where a leaf was gone back to and nothing was written. */
const VISIT = '!'

/** A message's place in the tree of its session. */
export type TreeNode = {
  id: string
  parent: TreeNode | null
  /** Oldest first. */
  children: TreeNode[]
  /** How many messages stand before it. */
  depth: number
  /** The leaf behind it that was written last. */
  newest: TreeNode
  /** The leaf behind it that was last on screen. */
  last: TreeNode
  /** When it was written, and when it was last on screen: places in the session's order of events. */
  written: number
  seen: number
}

export type Tree = { nodes: ReadonlyMap<string, TreeNode>; roots: readonly TreeNode[]; leafCount: number }

/** The shape of a whole session without any text: one query and one value, whatever its size. */
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
  // A message without replies is the leaf behind itself.
  const leaf = node as TreeNode
  leaf.newest = leaf
  leaf.last = leaf
  return leaf
}

function isLeaf({ children }: TreeNode): boolean {
  return children.length === 0
}

/** From the first message to this one. */
export function pathTo(node: TreeNode): TreeNode[] {
  const path: TreeNode[] = []
  for (let at: TreeNode | null = node; at; at = at.parent) path.push(at)
  return path.reverse()
}

/** A message and its alternatives, oldest first. */
export function siblingsOf({ roots }: Tree, node: TreeNode): readonly TreeNode[] {
  return node.parent ? node.parent.children : roots
}

/** How a message lies among its alternatives; null when it is the only one. */
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

/** How many messages follow on the way to the leaf that was last on screen. */
function laterOf(node: TreeNode): number {
  return node.last.depth - node.depth
}

/** Whether a message is on the way to another, or the other itself. */
export function isBefore(node: TreeNode, other: TreeNode): boolean {
  let at: TreeNode | null = other
  while (at && at.depth > node.depth) at = at.parent
  return at === node
}

/** Which branch of the tree each leaf is, from 1: those of older alternatives come first. */
export function branchNumbers({ roots }: Tree): Map<TreeNode, number> {
  const numbers = new Map<TreeNode, number>()
  const open = [...roots].reverse()
  for (let node = open.pop(); node; node = open.pop()) {
    if (isLeaf(node)) numbers.set(node, numbers.size + 1)
    for (let at = node.children.length - 1; at >= 0; at -= 1) open.push(node.children[at] as TreeNode)
  }
  return numbers
}
