import type { BranchMap, BranchOption } from '#shared/chat/branches/branches.ts'
import { previewOf } from '#shared/chat/sessions/preview.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Database } from '../../platform/db/db.ts'
import { findActiveLeaf, loadTree, siblingsOf, type TreeNode } from '../messages/messages.ts'
import { loadTimes, readLines } from './store.ts'

/** Map messages processed per turn of the event loop. */
const AT_ONCE = 500

/** Maximum alternatives returned: the nearest ones, wrapping around, so that both directions have a next one. */
const OPTIONS = 500

/** Returns a message and its alternatives, oldest first. @throws AppError `not_found` */
export async function listBranchOptions(
  db: Database,
  sessionId: string,
  messageId: string,
): Promise<BranchOption[]> {
  const tree = await loadTree(db, sessionId)
  const node = tree.nodes.get(messageId)
  if (!node) throw new AppError('not_found', 'Message not found')
  const siblings = nearest(siblingsOf(tree, node), node)
  const ids = siblings.map(({ id }) => id)
  const timeOf = await loadTimes(db, ids)
  return siblings.map(({ id, newest }) => ({
    id: newest.id,
    message_id: id,
    created_at: timeOf.get(id) ?? '',
  }))
}

function nearest(siblings: readonly TreeNode[], node: TreeNode): readonly TreeNode[] {
  const count = siblings.length
  if (count <= OPTIONS) return siblings
  const first = siblings.indexOf(node) - OPTIONS / 2
  const places = Array.from({ length: OPTIONS }, (_, at) => (first + at + count) % count)
  return places.sort((a, b) => a - b).flatMap((at) => siblings[at] ?? [])
}

/** Returns every message of a session with the start of its text, in order of creation. */
export async function readBranchMap(db: Database, sessionId: string): Promise<BranchMap> {
  const active_leaf = await findActiveLeaf(db, sessionId)
  const rows = await readLines(db, sessionId)
  const messages: Line[] = []
  for (const row of rows) {
    // Yields to other work while building a map of ten thousand messages.
    if (messages.length % AT_ONCE === AT_ONCE - 1) await new Promise((next) => setImmediate(next))
    messages.push(readLine(row))
  }
  const lineOf = new Map(messages.map((line) => [line.id, line]))
  for (let at = lineOf.get(active_leaf ?? ''); at; at = lineOf.get(at.parent_id ?? '')) at.is_active = true
  return { messages, active_leaf }
}

type Line = BranchMap['messages'][number]

function readLine(row: string): Line {
  const line = JSON.parse(row) as Omit<Line, 'is_active'>
  return { ...line, text: previewOf(line.text), is_active: false }
}
