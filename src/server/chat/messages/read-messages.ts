import type { Kysely } from 'kysely'
import type { ActiveBranch } from '#shared/chat/messages/messages.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { listForkLinks } from './fork-link-store.ts'
import { findActiveLeaf, loadMessages, loadSizes } from './store.ts'
import { branchNumbers, forkAt, isBefore, loadTree, pathTo, type Tree, type TreeNode } from './tree-store.ts'

/** The branch of a session without messages. */
const emptyBranch: ActiveBranch = {
  ...{ active_branch: [], branch_id: 'default', total: 0, start: 0, has_more: false, forks: [] },
  ...{ links: [], branch_number: 0, branch_count: 0 },
}

/** Maximum JSON size of a page: a few milliseconds of work. A larger message is a page on its own. */
const PAGE_BYTES = 2_000_000

type Page = { limit: number; before?: string; after?: string; around?: string }

/**
 * Returns a page of the active branch, oldest first: the newest `limit` messages, or those before `before`, after `after`
 * or around a message. Large messages reduce their number, but never to zero. A branch that is no longer active can
 * still be paged.
 * @throws AppError `not_found` for a message that is not on the branch
 */
export async function readActiveBranch(
  db: Kysely<Tables>,
  reader: Person,
  sessionId: string,
  page: Page,
): Promise<ActiveBranch> {
  // Read first, so that the tree read later contains it.
  const leafId = await findActiveLeaf(db, sessionId)
  const tree = await loadTree(db, sessionId)
  const active = tree.nodes.get(leafId ?? '')
  if (!active) return emptyBranch
  const before = tree.nodes.get(page.before ?? '')
  const leaf = before && !isBefore(before, active) ? before.last : active
  return readBranch(db, reader, tree, leaf, page)
}

/** Returns a page of the branch that ends at a leaf. @throws AppError `not_found` for a message not on it */
export async function readBranch(
  db: Kysely<Tables>,
  reader: Person,
  tree: Tree,
  leaf: TreeNode,
  page: Page,
): Promise<ActiveBranch> {
  const path = pathTo(leaf)
  const wished = rangeOf(path, page)
  const bytes = await loadSizes(db, path.slice(wished.start, wished.end))
  const { start, end } = fitRange(bytes, wished)
  const nodes = path.slice(start, end)
  const ids = nodes.map(({ id }) => id)
  return {
    active_branch: await loadMessages(db, ids),
    links: await listForkLinks(db, reader, ids),
    ...{ branch_id: leaf.id, total: path.length, start, has_more: start > 0 },
    forks: nodes.flatMap((node) => forkAt(tree, node) ?? []),
    ...{ branch_number: branchNumbers(tree).get(leaf) ?? 0, branch_count: tree.leafCount },
  }
}

/** A range of a path, with the index of the message the page centres on. */
type Range = { start: number; end: number; pivot: number }

function rangeOf(path: readonly TreeNode[], { limit, before, after, around }: Page): Range {
  const placeOf = (id: string) => {
    const place = path.findIndex((node) => node.id === id)
    if (place < 0) throw new AppError('not_found', 'Message not found')
    return place
  }
  const last = before === undefined ? path.length : placeOf(before)
  const wished =
    around !== undefined
      ? placeOf(around) - Math.floor(limit / 2)
      : after !== undefined
        ? placeOf(after) + 1
        : last - limit
  const start = Math.max(0, after === undefined ? Math.min(wished, last - limit) : wished)
  const end = Math.min(last, start + limit)
  const pivot = around !== undefined ? placeOf(around) : after !== undefined ? start : end - 1
  return { start, end, pivot: Math.min(pivot, end - 1) }
}

/** Shrinks a range to the byte limit: the pivot and its nearest messages. */
function fitRange(bytes: readonly number[], { start, end, pivot }: Range): { start: number; end: number } {
  let [from, to] = [pivot, pivot + 1]
  if (from < start) return { start, end: Math.max(start, end) }
  let left = PAGE_BYTES - (bytes[pivot - start] ?? 0)
  const fits = (at: number) => at >= start && at < end && (bytes[at - start] ?? 0) <= left
  for (;;) {
    const [above, below] = [fits(from - 1), fits(to)]
    if (above) left -= bytes[--from - start] ?? 0
    // Both sides share one budget.
    if (below && fits(to)) left -= bytes[to++ - start] ?? 0
    if (!above && !below) return { start: from, end: to }
  }
}
