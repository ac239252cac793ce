import type { Kysely } from 'kysely'
import { beliefParts } from '#shared/chat/beliefs/beliefs.ts'
import type {
  BeliefChange,
  BlockChange,
  CheckpointNumbers,
  Comparison,
} from '#shared/chat/checkpoints/checkpoints.ts'
import { beginningOf, diffLines } from '#shared/chat/checkpoints/text-diff.ts'
import { withoutCitations } from '#shared/platform/citations/citation-tags.ts'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { foldEvents } from '#shared/runs/runs/reduce/reduce.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { loadRecords } from '../../runs/runs/runs.ts'
import { findBelief, type StoredBelief } from '../beliefs/beliefs.ts'
import { describeCheckpoints, readSpending } from './read-checkpoints.ts'
import { type CheckpointRow, findPath, findRuns, readWorkedTime } from './store.ts'

type Db = Kysely<Tables>

/** Compares two checkpoints of a user: numbers first, then blocks and text. */
export async function compareCheckpoints(db: Db, a: CheckpointRow, b: CheckpointRow): Promise<Comparison> {
  const [left, right] = [await readSide(db, a), await readSide(db, b)]
  const texts = [left, right].map(({ view }) => withoutCitations(view?.content ?? '')) as [string, string]
  const [before, after] = [beginningOf(texts[0]), beginningOf(texts[1])]
  return {
    a: left.side,
    b: right.side,
    belief: diffBeliefs(left.belief, right.belief),
    blocks: diffBlocks(left.view?.blocks ?? [], right.view?.blocks ?? []),
    text: diffLines(before, after),
    is_text_cut: before.length < texts[0].length || after.length < texts[1].length,
  }
}

async function readSide(db: Db, row: CheckpointRow) {
  const { session_id, run_id, position } = row
  const records = await loadRecords(db, run_id, position)
  const view = foldEvents(
    null,
    records.flatMap(({ events }) => events),
  )
  const [checkpoint] = await describeCheckpoints(db, session_id, [row])
  const path = await findPath(db, row.message_id)
  // A reply's belief exists only after its end.
  const belief = await findBelief(db, (row.kind === 'completed' ? path[0] : path[1]) ?? null)
  const numbers = await readNumbers(db, row, { view, path, belief })
  return { view, belief, side: { checkpoint: checkpoint!, numbers } }
}

type There = { view: RunView | null; path: string[]; belief: StoredBelief | null }

async function readNumbers(
  db: Db,
  row: CheckpointRow,
  { view, path, belief }: There,
): Promise<CheckpointNumbers> {
  const blocks = view?.blocks ?? []
  const spentBy = await readSpending(db, await findRuns(db, row.session_id))
  return {
    time_ms: await readWorkedTime(db, row),
    ...spentBy(row),
    steps: blocks.filter((block) => block.type === 'step' && block.completed).length,
    tool_calls: blocks.filter(({ type }) => type === 'tool').length,
    messages: path.length,
    facts: belief?.content.facts.length ?? 0,
    open_questions: belief?.content.open_questions.length ?? 0,
  }
}

/** Returns whether a block is compared: checkpoints carry no content, and text is compared by line. */
const isCompared = ({ type }: Block) => type !== 'text' && type !== 'checkpoint' && type !== 'paused'

function diffBlocks(before: Block[], after: Block[]): BlockChange[] {
  const [left, right] = [before.filter(isCompared), after.filter(isCompared)]
  const known = new Map(left.map((block) => [block.id, JSON.stringify(block)]))
  const kept = new Set(right.map(({ id }) => id))
  const removed = left.filter(({ id }) => !kept.has(id)).map((block) => ({ kind: 'removed' as const, block }))
  const changed = right
    .filter((block) => known.get(block.id) !== JSON.stringify(block))
    .map((block) => ({ kind: known.has(block.id) ? ('changed' as const) : ('added' as const), block }))
  return [...removed, ...changed]
}

function diffBeliefs(before: StoredBelief | null, after: StoredBelief | null): BeliefChange[] {
  const lack = (one: StoredBelief | null, other: StoredBelief | null, kind: BeliefChange['kind']) =>
    beliefParts.flatMap((part) => {
      const known = new Set(other?.content[part].map(({ text }) => text))
      const more = one?.content[part].filter(({ text }) => !known.has(text)) ?? []
      return more.map(({ text }) => ({ kind, part, text }))
    })
  return [...lack(before, after, 'removed'), ...lack(after, before, 'added')]
}
