import { createHash, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import { planReply, startReply } from '../../chat/messages/messages.ts'
import { linkToSession } from '../../knowledge/documents/documents.ts'
import { findModelFor } from '../../models/model-choice/model-choice.ts'
import { assertBalance } from '../../money/billing/billing.ts'
import { takeStorage } from '../../money/storage/storage.ts'
import { keyOf } from '../../platform/access/access.ts'
import { cleanCharacters, toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { type Completion, loadMessage, startRun } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { findInput } from './read-file-input.ts'
import { type CallFacts, findReply, insertProgramChat, insertTurns, removeCall } from './store.ts'

/** Limits of one call. */
const LIMITS = { model_calls: 1, steps: 1, seconds: 15 * 60 }
/** Maximum characters of the request stored as the question; the journal has all of it. */
const MAX_SHOWN_LENGTH = 10_000

type Turn = { role: 'user' | 'assistant'; content: string }
type AssistantCall = { assistantId: string; words: string; turns: Turn[]; fileIds: string[] }
type Asked = { asked: string; idempotencyKey: string | null; kept?: CallFacts }
/** A started call: its chat, whose id names the call, and its reply. */
export type BegunCall = { id: string; messageId: string; isNew: boolean }

/** Starts a plain model request as a run. @throws AppError `not_available`, `insufficient_balance`, `rate_limited` */
export async function beginCompletion(
  deps: Deps,
  user: Caller,
  completion: Completion,
  { asked, idempotencyKey, kept = {} }: Asked,
): Promise<BegunCall> {
  await assertBalance(deps, user.id, keyOf(user))
  const model = await findModelFor(deps, user.id, asked)
  const question = lastWords(completion)
  return begin(deps, user, { asked, idempotencyKey, metadata: kept }, async (id) => {
    const run = await startRun(deps.engine, id, async (trx) => {
      const bytes = Buffer.byteLength(JSON.stringify(completion))
      const userMessage = await storeQuestion(deps, trx, { user, id, bytes, earlier: [], question })
      const input = {
        ...{ session_id: id, user_id: user.id, user_message_id: userMessage.id, language: user.language },
        ...{ agent_type: 'completion' as const, model_name: model.id, instructions: null, tool_choice: null },
        ...{ context_tokens: model.context_tokens ?? 0, tools: [], limits: LIMITS, completion },
        ...ofProgram(user),
      }
      return { input, userMessage }
    })
    return run.input.message_id
  })
}

/** Starts an assistant's answer with its tools and documents. `earlier` contains the turns before the question. */
export async function beginAnswer(
  deps: Deps,
  user: Caller,
  { assistantId, words, turns, fileIds }: AssistantCall,
  { asked, idempotencyKey, kept = {} }: Asked,
): Promise<BegunCall> {
  const question = turns.at(-1)
  if (question?.role !== 'user')
    throw new AppError('invalid', 'The last message must be one of the role "user".')
  const files: string[] = []
  for (const given of fileIds) files.push((await findInput(deps, user, given)).id)
  const session_metadata = { ...kept, assistant_id: assistantId }
  return begin(deps, user, { asked, idempotencyKey, metadata: session_metadata }, async (id) => {
    if (files.length > 0) await linkToSession(deps.db, id, files)
    const plan = await planReply(deps, user, { id, model_name: null, session_metadata }, {})
    const instructions = [plan.instructions, words].filter(Boolean).join('\n\n') || null
    const bytes = Buffer.byteLength(JSON.stringify(turns))
    const earlier = turns.slice(0, -1)
    const run = await startReply(deps, { ...plan, instructions, ...ofProgram(user) }, (trx) =>
      storeQuestion(deps, trx, { user, id, bytes, earlier, question: question.content }),
    )
    return run.input.message_id
  })
}

function ofProgram(user: Caller) {
  const key_id = keyOf(user)
  return { is_program: true as const, ...(key_id && { key_id }) }
}

type Chat = Omit<Asked, 'kept'> & { metadata: Record<string, unknown> }

/** Creates the chat of a call and starts it. A repeated idempotency key returns the existing call. */
async function begin(
  { db }: Deps,
  user: Caller,
  { asked, idempotencyKey, metadata }: Chat,
  start: (id: string) => Promise<string>,
): Promise<BegunCall> {
  const id = idempotencyKey === null ? randomUUID() : callIdOf(user, idempotencyKey)
  const session = { id, user_id: user.id, title: asked, session_metadata: toJson(metadata) }
  if (!(await insertProgramChat(db, session))) {
    const messageId = await findReply(db, user.id, id)
    if (!messageId) throw new AppError('conflict', 'The same call is being begun. Try again.')
    return { id, messageId, isNew: false }
  }
  try {
    return { id, messageId: await start(id), isNew: true }
  } catch (error) {
    // The call never started.
    await removeCall(db, id)
    throw error
  }
}

type Stored = { user: Caller; id: string; bytes: number; earlier: Turn[]; question: string }

async function storeQuestion(
  { config }: Deps,
  trx: Kysely<Tables>,
  { user, id, bytes, earlier, question }: Stored,
) {
  await takeStorage({ db: trx, config }, user.id, bytes)
  const turns = [...earlier, { role: 'user' as const, content: question }]
  const cleaned = turns.map(({ role, content }) => ({ role, content: cleanCharacters(content) }))
  const messageId = await insertTurns(trx, id, cleaned, bytes)
  const message = messageId && (await loadMessage(trx, messageId))
  if (!message) throw new Error(`the question of call ${id} was not stored`)
  return message
}

/** Returns the call id for an idempotency key: always the same for the same user and key. */
export function callIdOf({ id }: Pick<Caller, 'id'>, idempotencyKey: string): string {
  const hex = createHash('sha256').update(`openai:${id}:${idempotencyKey}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function lastWords({ messages }: Completion): string {
  const asked = messages.findLast(({ role }) => role === 'user')
  const parts = asked?.role === 'user' ? asked.content : []
  const words = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
  return words.slice(0, MAX_SHOWN_LENGTH).toWellFormed()
}
