import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import {
  type changeQueued as changeRoute,
  MAX_QUEUED,
  type queueMessage,
} from '#shared/chat/message-queue/message-queue.ts'
import { AppError } from '#shared/platform/errors.ts'
import { assertTermsAccepted } from '../../identity/terms/terms.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { askToStop, findActiveRun, lockSession } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { readMentions } from '../mentions/mentions.ts'
import { checkContent, findByClientId } from '../messages/messages.ts'
import { requestStart } from './start-next.ts'
import {
  deleteQueued,
  findQueued,
  insertQueued,
  listQueued,
  numberQueued,
  orderOf,
  type QueuedRow,
  updateQueued,
} from './store.ts'

type Given = z.infer<NonNullable<(typeof queueMessage)['body']>>
type Change = z.infer<NonNullable<(typeof changeRoute)['body']>>
type Which = { sessionId: string; queuedId: string }
type Trx = Kysely<Tables>
type ActiveRun = NonNullable<Awaited<ReturnType<typeof findActiveRun>>>

type Message = Pick<QueuedRow, 'user_id' | 'way' | 'options'>
/** The message, and whether it stops the run now. */
type Changed = { row: QueuedRow; interrupts: boolean }

/** Only the person for whom a run works steers it, and only with text: a step reads nothing else. Other messages wait. */
function wayFor({ way, user_id, options }: Message, active: ActiveRun | null): QueuedRow['way'] {
  if (way !== 'steer') return way
  const { tool_choice, model_name, document_ids = [], mentions = [] } = options
  const isText = !tool_choice && !model_name && document_ids.length + mentions.length === 0
  return isText && active?.user_id === user_id ? way : 'queue'
}

/**
 * Stores a message for the run of a chat. Without a run it is started. The same `client_id` returns the same message.
 * @throws AppError `conflict` for a full queue, `already_answered` for a message that was sent already, and what mentions throw
 */
export async function addQueued(
  deps: Deps,
  user: Caller,
  sessionId: string,
  given: Given,
): Promise<QueuedRow> {
  const { client_id } = given
  const content = checkContent(given.content)
  await assertTermsAccepted(deps.db, user.id)
  const { named } = await readMentions(deps, user, given.mentions ?? [])
  const options = {
    ...(given.tool_choice && { tool_choice: given.tool_choice }),
    ...(given.model_name && { model_name: given.model_name }),
    ...(given.document_ids?.length && { document_ids: given.document_ids }),
    ...(named.length > 0 && { mentions: named }),
    ...(user.timeZone && { time_zone: user.timeZone }),
  }
  return change(deps, sessionId, async (trx, active) => {
    const known = await findQueued(trx, sessionId, client_id)
    if (known) return { row: known, interrupts: false }
    if (await findByClientId(trx, sessionId, client_id))
      throw new AppError('already_answered', 'This message was sent already.')
    const rows = await listQueued(trx, sessionId)
    if (rows.length >= MAX_QUEUED)
      throw new AppError('conflict', `A chat can have ${MAX_QUEUED} waiting messages. Withdraw one first.`)
    const way = wayFor({ way: given.way, user_id: user.id, options }, active)
    const position = Math.max(0, ...rows.map((row) => row.position)) + 1
    const row = await insertQueued(trx, sessionId, {
      user_id: user.id,
      way,
      client_id,
      content,
      options,
      position,
    })
    const interrupts = way === 'interrupt'
    if (interrupts) await numberQueued(trx, orderOf([row, ...rows]))
    return { row, interrupts }
  })
}

/**
 * Changes a waiting message. `after_id` moves it behind another one, `way: 'interrupt'` sends it now.
 * @throws AppError `not_found` when it was sent or withdrawn, `conflict` when the run reads it, `forbidden` for the text of
 *   another member of a shared chat
 */
export async function changeQueued(
  deps: Deps,
  user: Caller,
  which: Which,
  { content, after_id, way }: Change,
): Promise<QueuedRow> {
  const text = content === undefined ? undefined : checkContent(content)
  return change(deps, which.sessionId, async (trx, active) => {
    const rows = await listQueued(trx, which.sessionId)
    const row = assertFree(rows, which.queuedId)
    // It is sent with the rights of its author.
    if (text !== undefined && row.user_id !== user.id)
      throw new AppError('forbidden', 'Only its author may change a message.')
    const next = way && wayFor({ ...row, way }, active)
    const changed = {
      ...(text !== undefined && { content: text }),
      ...(next && { way: next }),
      // A change is a new attempt after a refusal.
      failure: null,
    }
    if (!(await updateQueued(trx, row.id, changed))) throw isRead()
    const moved = { ...row, ...changed }
    const others = rows.filter(({ id }) => id !== row.id)
    const interrupts = next === 'interrupt'
    if (interrupts) await numberQueued(trx, orderOf([moved, ...others]))
    else if (after_id !== undefined) await numberQueued(trx, placeAfter(others, row.id, after_id))
    return { row: moved, interrupts }
  })
}

/** Removes a waiting message. One that was refused makes place for the next. @throws AppError `not_found`, `conflict` as `changeQueued` */
export async function withdrawQueued(deps: Deps, { sessionId, queuedId }: Which): Promise<void> {
  await change(deps, sessionId, async (trx) => {
    const row = assertFree(await listQueued(trx, sessionId), queuedId)
    if (!(await deleteQueued(trx, row.id))) throw isRead()
    return { row, interrupts: false }
  })
}

/**
 * Changes the queue under the lock of the session. The same transaction requests what follows: the stop of the run for a message that
 * interrupts it, or a start when no run works.
 */
async function change(
  deps: Deps,
  sessionId: string,
  work: (trx: Trx, active: ActiveRun | null) => Promise<Changed>,
): Promise<QueuedRow> {
  await deps.jobs.prepare()
  return deps.db.transaction().execute(async (trx) => {
    await lockSession(trx, sessionId)
    const active = await findActiveRun(trx, sessionId)
    const { row, interrupts } = await work(trx, active)
    if (!active) await requestStart(deps, trx, sessionId)
    else if (interrupts) await askToStop(trx, active.id)
    return row
  })
}

function assertFree(rows: readonly QueuedRow[], id: string): QueuedRow {
  const row = rows.find((one) => one.id === id)
  if (!row) throw new AppError('not_found', 'This message was sent or withdrawn.')
  if (row.claimed_at) throw isRead()
  return row
}

const isRead = () => new AppError('conflict', 'The run reads this message already.')

/** Returns the order with one message behind another, or first. @throws AppError `not_found` without the other one */
function placeAfter(others: readonly QueuedRow[], id: string, afterId: string | null): string[] {
  const ids = others.map((row) => row.id)
  const at = afterId === null ? 0 : ids.indexOf(afterId) + 1
  if (afterId !== null && at === 0)
    throw new AppError('not_found', 'The message before it was sent or withdrawn.')
  return ids.toSpliced(at, 0, id)
}
