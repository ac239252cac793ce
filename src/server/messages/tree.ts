import { type Kysely, sql } from 'kysely'
import type { Fork } from '#shared/messages/messages.ts'
import type { Tables } from '../db/tables.ts'

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
  /** When it was written, or last gone back to, in seconds. */
  seen: number
  /** Its place among all messages in the order of writing. */
  order: number
}

export type Tree = { nodes: ReadonlyMap<string, TreeNode>; roots: readonly TreeNode[]; leafCount: number }

type Row = { id: string; parent_id: string | null; seen: number }

/** The shape of a whole session without any text: one query, whatever its size. */
export async function loadTree(db: Kysely<Tables>, sessionId: string): Promise<Tree> {
  const { rows } = await sql<Row>`
    select m.id, m.parent_id, extract(epoch from greatest(m.created_at, v.visited_at))::float8 as seen
    from messages m left join branch_visits v on v.leaf_id = m.id
    where m.session_id = ${sessionId} order by m.created_at, m.id`.execute(db)
  return buildTree(rows)
}

/** Links rows, oldest first, into a tree. */
export function buildTree(rows: readonly Row[]): Tree {
  const nodes = new Map(rows.map((row, order) => [row.id, newNode(row, order)]))
  const roots: TreeNode[] = []
  for (const row of rows) {
    const node = nodes.get(row.id)
    const parent = row.parent_id === null ? null : nodes.get(row.parent_id)
    if (!node) continue
    node.parent = parent ?? null
    if (parent) parent.children.push(node)
    else roots.push(node)
  }
  const fromTop = [...roots]
  for (const node of fromTop) {
    for (const child of node.children) child.depth = node.depth + 1
    fromTop.push(...node.children)
  }
  for (const node of fromTop.reverse()) {
    for (const { newest, last } of node.children) {
      if (node.newest === node || newest.order > node.newest.order) node.newest = newest
      if (node.last === node || last.seen > node.last.seen) node.last = last
    }
  }
  return { nodes, roots, leafCount: fromTop.filter(isLeaf).length }
}

function newNode({ id, seen }: Row, order: number): TreeNode {
  const node = { id, parent: null, children: [], depth: 0, seen, order } as unknown as TreeNode
  node.newest = node
  node.last = node
  return node
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

/** Which branch of the tree ends at this leaf, from 1: those of older alternatives come first. */
export function branchNumber({ roots }: Tree, leaf: TreeNode): number {
  let number = 0
  const open = [...roots].reverse()
  for (let node = open.pop(); node; node = open.pop()) {
    if (isLeaf(node)) number += 1
    if (node === leaf) return number
    for (let at = node.children.length - 1; at >= 0; at -= 1) open.push(node.children[at] as TreeNode)
  }
  return number
}
