import { AgentType } from '#shared/runs/runs/agent-type.ts'
import { RunEvent } from '#shared/runs/runs/events.ts'
import { Damage } from '../archive/damage.ts'
import type { ElementReader, ForeignJournal, ForeignRecord } from './foreign.ts'
import { asCount, asId, asName, asObject, asObjects, asText, asTime } from './read-values.ts'

type Fields = Record<string, unknown>

/** Reads the journal of a finished reply up to the last position that is safe to return to. */
export const atriumJournal: ElementReader = {
  format: 'atrium',
  recognizes: (value) => 'journal_of' in value && 'records' in value,
  read: (value): ForeignJournal => {
    const [run, chat, message] = [asId(value.journal_of), asId(value.session_id), asId(value.message_id)]
    const agent = AgentType.safeParse(value.agent_type).data
    const version = asCount(value.agent_version)
    if (run === null || chat === null || message === null || !agent || version === null)
      throw new Damage('damaged')
    // A step that began twice is settled by its result.
    const listed = asObjects(value.records).filter(({ kind }) => kind !== 'started')
    const records = safePart(listed.map(recordOf))
    const [from, position] = [asId(value.forked_from), asCount(value.forked_position)]
    return {
      ...{ kind: 'journal', run, chat, message, agent, version, model: asName(value.model_name) },
      fork: from === null || position === null ? null : { from, position },
      labels: asObjects(value.labels).flatMap((one) => {
        const [key, label] = [asName(one.key), asName(one.label)]
        return key === null || label === null ? [] : [{ key, label }]
      }),
      records,
    }
  },
}

const kinds = ['step', 'checkpoint', 'ask', 'answer'] as const
const MAX_KEY = 500
const CALL_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns a record; null for one that is damaged or of another kind. */
function recordOf(record: Fields): ForeignRecord | null {
  const [position, key] = [asCount(record.position), asName(record.key)]
  const kind = kinds.find((one) => one === record.kind)
  const stored = asObject(record.value)
  if (!position || key === null || key.length > MAX_KEY || !kind || !stored) return null
  const events: RunEvent[] = []
  for (const event of asObjects(stored.events)) {
    const { data } = RunEvent.safeParse(event)
    // Each of them would begin another view.
    if (!data || data.event === 'task_stream_init' || data.event === 'agent_processing_started') return null
    // The ids of calls are replaced in the whole journal when a run continues it.
    if ('tool_execution_id' in data && !CALL_ID.test(data.tool_execution_id)) return null
    events.push(data)
  }
  if (kind === 'checkpoint' && events[0]?.event !== 'checkpoint_created') return null
  return { position, key, kind, value: recordValue(key, stored.value), events, at: asTime(record.created_at) }
}

const REPLY = /(?:^|\/)model:\d+$/
const parts: readonly unknown[] = ['text', 'reasoning', 'tool-call']

/** Returns the value of a record: that of a model's reply has only what models write, and names no other model for later calls. */
function recordValue(key: string, value: unknown): unknown {
  const reply = asObject(value)
  if (!reply || !REPLY.test(key)) return value ?? null
  const { fallback: _, ...rest } = reply
  return { ...rest, content: asObjects(reply.content).filter(({ type }) => parts.includes(type)) }
}

/** Questions of agents. Other questions permit calls, and the person has not permitted them here. */
const QUESTION = /^waiting_for_input_[a-z0-9_]+$/

/**
 * Returns the records up to the last checkpoint at which every tool call has its result and nothing but agents' questions was asked. A
 * run that continues from there repeats no call of the archive.
 */
function safePart(records: readonly (ForeignRecord | null)[]): ForeignRecord[] {
  const open: Open = { calls: new Set(), shown: new Set() }
  const seen = new Set<string>()
  let [end, last] = [0, 0]
  for (const [at, record] of records.entries()) {
    if (!record || record.position <= last || seen.has(`${record.kind} ${record.key}`)) break
    last = record.position
    seen.add(`${record.kind} ${record.key}`)
    if ((record.kind === 'ask' || record.kind === 'answer') && !QUESTION.test(record.key)) break
    if (record.kind === 'step' && !follow(open, record)) break
    for (const event of record.events) show(open, event)
    if (record.kind === 'checkpoint' && open.calls.size + open.shown.size > 0) break
    if (record.kind === 'checkpoint') end = at + 1
  }
  return records.slice(0, end).filter((record) => record !== null)
}

/** Keys of steps of calls without a result, and ids of calls that are shown without an end. */
type Open = { calls: Set<string>; shown: Set<string> }

/**
 * Adds the calls that a step announces to those without a result, and removes the call that it is. Returns false when it announces a call
 * under the name of another step.
 */
function follow({ calls }: Open, { key, value }: ForeignRecord): boolean {
  calls.delete(key)
  const at = key.lastIndexOf('/') + 1
  const [scope, name] = [key.slice(0, at), key.slice(at)]
  const announced = asObjects(asObject(value)?.calls).map((call) => asText(call.key))
  for (const call of announced) calls.add(`${scope}tool:${call}`)
  return announced.every((call) => call.startsWith(`${name}/`) || (name === 'calls' && SEARCH.test(call)))
}

/** Calls of a research, which no model made. */
const SEARCH = /^search:\d{1,3}\/[a-z_]+$/

const ended: readonly unknown[] = ['complete', 'failed', 'error']

function show({ shown }: Open, event: RunEvent): void {
  if (!('tool_execution_id' in event)) return
  const isEnd = event.event === 'tool_update' && event.data.phase === undefined
  if (isEnd && ended.includes(event.data.status)) shown.delete(event.tool_execution_id)
  else shown.add(event.tool_execution_id)
}
