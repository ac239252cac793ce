import type { Kysely } from 'kysely'
import { isSecret } from '#shared/chat/memory/fact.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import type { Remembered } from '../../models/models/told-memory.ts'
import type { Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { RunInput } from '../../runs/runs/runs.ts'
import { learnFact } from './learn-fact.ts'
import { isOn, loadPolicy, noteRefused } from './memory-policy-store.ts'
import { readOwnPart } from './own-part-store.ts'
import { hasFacts, hasRun } from './recall/use-store.ts'
import { checkFact } from './rules/check-fact.ts'
import { asksAboutMe, type Remember, readRemember } from './rules/read-remember.ts'

type Db = Kysely<Tables>
type Memory = NonNullable<RunInput['memory']>
type Planned = {
  session: { id: string; session_metadata: Record<string, unknown> }
  assistant: { id: string } | null
  model: string
}

/** Decides whether a reply may use memory, before its message is stored. */
export async function planMemory(
  db: Db,
  person: Person,
  { session, assistant, model }: Planned,
): Promise<{ memory?: Memory }> {
  if (person.kind === 'visitor' || session.session_metadata.is_try === true) return {}
  const place = { sessionId: session.id, assistantId: assistant?.id ?? null }
  const policy = await loadPolicy(db, person, place)
  if (!policy?.is_usual) return {}
  if (!isOn(policy, model)) return { memory: { is_off: true } }
  const has = await hasFacts(db, person, policy)
  return {
    memory: {
      ...(policy.project?.can_add && { project_id: policy.project.id }),
      ...(has && { has_facts: true }),
    },
  }
}

/**
 * Stores what a message asks to remember, in the transaction that stores the message. Returns the memory part of record 0, or null
 * when the reply needs none.
 */
export async function rememberAsked(
  trx: Db,
  clock: { now(): Date },
  plan: Pick<RunInput, 'memory' | 'user_id' | 'session_id'>,
  { person, message }: { person: Person; message: Message },
): Promise<Memory | null> {
  const { memory } = plan
  if (!memory) return null
  const asks = await readAsked(trx, person, message)
  const isAbout = asksAboutMe(message.content)
  if (memory.is_off) {
    if (!isAbout && asks.length === 0) return null
    return {
      is_off: true,
      ...(isAbout && { asks_about_me: true }),
      ...(asks.length > 0 && { remembered: [] }),
    }
  }
  // Another reply to the same message stores nothing again: the person may have deleted the fact.
  const isRepeated = asks.length > 0 && (await hasRun(trx, message.id))
  const remembered: NonNullable<Memory['remembered']> = []
  for (const asked of isRepeated ? [] : asks)
    remembered.push(await remember(trx, clock, plan, message, asked))
  if (!memory.has_facts && !isAbout && remembered.length === 0) return null
  return {
    ...memory,
    ...(isAbout && { asks_about_me: true }),
    ...(remembered.length > 0 && { remembered }),
  }
}

/** Returns what the person asks to remember in a message. */
async function readAsked(trx: Db, person: Person, { id, content }: Message): Promise<Remember[]> {
  if (readRemember(content).length === 0) return []
  return readRemember(
    await readOwnPart(trx, person, { user_message_id: id, question: content, run_id: null }),
  )
}

async function remember(
  trx: Db,
  clock: { now(): Date },
  { user_id, session_id, memory }: Pick<RunInput, 'memory' | 'user_id' | 'session_id'>,
  message: Message,
  { text, forProject }: Remember,
): Promise<Remembered> {
  const checked = checkFact(text)
  if ('reason' in checked) {
    if (isSecret(checked.reason)) await noteRefused(trx, user_id, checked.reason, session_id)
    return { text: '', reason: checked.reason }
  }
  if (forProject && !memory?.project_id) return { text: '', reason: 'no_project' }
  const learned = await learnFact(trx, {
    ...{ userId: user_id, workspaceId: forProject ? (memory?.project_id ?? null) : null },
    ...{ text: checked.text, origin: 'remember', vector: null, at: clock.now() },
    source: { session_id, message_id: message.id },
  })
  return {
    text: checked.text,
    reason: learned ? null : 'full',
  }
}
