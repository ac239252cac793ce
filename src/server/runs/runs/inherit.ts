import { foldEvents } from '#shared/runs/runs/reduce/reduce.ts'
import { executionId } from './execution-id.ts'
import type { JournalRecord } from './journal/journal-record.ts'

export type Inherited = {
  records: JournalRecord[]
  /** Inherited calls without a result: their original id and their id in the fork. */
  calls: ReadonlyMap<string, string>
}

/**
 * Returns the records a fork inherits. Unfinished work is left out: an unanswered question is asked again,
 * and a call without a result is made again under a new id. The approval of a named person counts for one call, so it is asked for again too.
 */
export function inheritRecords(journal: readonly JournalRecord[], forkId: string): Inherited {
  const done = new Set(journal.map(({ kind, key }) => `${kind}:${key}`))
  const records = journal.filter(({ kind, key }) => {
    if (kind === 'end' || kind === 'pause' || kind === 'resume') return false
    if (kind === 'ask') return done.has(`answer:${key}`)
    return kind !== 'started' || done.has(`step:${key.replace(/#\d+$/, '')}`)
  })
  const calls = findOpenCalls(records, forkId)
  const again = namedApprovals(records, calls)
  const kept = records.filter(({ kind, key }) => !((kind === 'ask' || kind === 'answer') && again.has(key)))
  return { records: renameCalls(kept, calls), calls }
}

/** Returns the keys of approvals by named people for calls that are made again. */
function namedApprovals(
  records: readonly JournalRecord[],
  calls: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const asked = records.filter(({ kind, events }) =>
    events.some(
      (event) =>
        kind === 'ask' &&
        event.event === 'input_required' &&
        event.approver !== undefined &&
        calls.has(event.tool?.tool_execution_id ?? ''),
    ),
  )
  return new Set(asked.map(({ key }) => key))
}

/** Merges record 0 of a fork, which contains only its own input, with that of its origin. */
export function mergeInput(origin: JournalRecord | undefined, own: JournalRecord): JournalRecord {
  return { ...own, value: { ...(origin?.value as object | undefined), ...(own.value as object) } }
}

const settled: readonly string[] = ['complete', 'failed', 'error']

function findOpenCalls(records: readonly JournalRecord[], forkId: string): Map<string, string> {
  const view = foldEvents(
    null,
    records.flatMap(({ events }) => events),
  )
  const open = (view?.blocks ?? []).filter(
    (block) => block.type === 'tool' && !settled.includes(block.status),
  )
  return new Map(open.map(({ id }) => [id, executionId(forkId, id)]))
}

function renameCalls(records: JournalRecord[], calls: ReadonlyMap<string, string>): JournalRecord[] {
  if (calls.size === 0) return records
  const text = JSON.stringify(records)
  return JSON.parse([...calls].reduce((renamed, [from, to]) => renamed.replaceAll(from, to), text))
}
