import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { mentionsOf } from '#shared/chat/messages/mentions.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { findAllowed } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { assertIdle, assertTurn, type Begun } from '../../runs/runs/runs.ts'
import { attachBegun, attachTask, lastEventId } from '../../runs/streams/streams.ts'
import type { Deps } from '../../tools/deps.ts'
import { countVisit } from '../embeds/embeds.ts'
import { assertUnread } from '../steering/steering.ts'
import { append, assertFirst, checkContent, lockAndFind, type NewMessage } from './new-message-store.ts'
import { planMessage, planReply, type ReplyPlan, type ReplyWish, startReply } from './start-reply.ts'
import { findByClientId, findMessage, hasFinishedReply, isAnswering } from './store.ts'

/** A message as requested. Its mentions have no names yet, and the caller is its author. */
type Asked = Omit<NewMessage, 'mentions' | 'author_id'> & ReplyWish

/** The caller, the session, and the connection for a stream. */
export type Request = { user: Caller; sessionId: string; request: FastifyRequest; reply: FastifyReply }

/**
 * Stores a message without starting a reply. The same `client_id` returns the same message, even in a
 * race. @throws AppError `session_busy`, `already_answered`, `insufficient_balance`, `quota_exceeded`, `too_large`, `invalid`
 */
export async function addMessage(
  deps: Deps,
  { user, sessionId }: Pick<Request, 'user' | 'sessionId'>,
  message: Asked,
): Promise<Message> {
  const content = checkContent(message.content)
  const session = await findAllowed(deps.db, user, 'write session', sessionId)
  const known = await findByClientId(deps.db, sessionId, message.client_id)
  if (known) return known
  await assertUnread(deps.db, sessionId, message.client_id)
  assertFirst(session, message)
  const { mentions } = await planMessage(deps, user, session, message)
  return deps.db.transaction().execute(async (trx) => {
    const known = await lockAndFind(trx, sessionId, message.client_id)
    if (known) return known
    await assertIdle(trx, sessionId)
    await assertTurn(deps.engine, trx, sessionId, message.client_id)
    await countVisit(trx, deps.clock, user, content)
    return append(trx, deps, sessionId, { ...message, content, mentions, author_id: user.id })
  })
}

/**
 * Stores a message and starts its reply in one transaction. Returns the message. `onRun` is called before the
 * reply's first event. A repeated message starts nothing.
 */
export async function addAndReply(
  deps: Deps,
  { user, sessionId }: Pick<Request, 'user' | 'sessionId'>,
  message: Asked,
  onRun?: (run: Begun) => void,
): Promise<Message> {
  const content = checkContent(message.content)
  const session = await findAllowed(deps.db, user, 'write session', sessionId)
  const known = await findByClientId(deps.db, sessionId, message.client_id)
  if (known) return known
  await assertUnread(deps.db, sessionId, message.client_id)
  assertFirst(session, message)
  const { plan, mentions } = await planMessage(deps, user, session, message)
  const store = async (trx: Kysely<Tables>) => {
    await countVisit(trx, deps.clock, user, content)
    return append(trx, deps, sessionId, { ...message, content, mentions, author_id: user.id })
  }
  try {
    const run = await startReply(deps, plan, store, onRun)
    return run.userMessage!
  } catch (error) {
    // A concurrent duplicate may have been stored first: return that message.
    const twin = await findByClientId(deps.db, sessionId, message.client_id)
    if (twin) return twin
    // If another first message won the race, report that instead of the busy session.
    assertFirst(await findAllowed(deps.db, user, 'write session', sessionId), message)
    throw error
  }
}

/** Stores the message, starts the reply and streams it in one call. */
export async function addAndStream(deps: Deps, call: Request, message: Asked): Promise<void> {
  const { streams } = deps
  let isAttached = false
  await addAndReply(deps, call, message, (run) => {
    isAttached = true
    void attachBegun(streams, run, streams.readers.open(call.request, call.reply, call.sessionId))
  })
  if (isAttached) return
  const wish = { after: lastEventId(call.request), chunks: false }
  await attachTask(
    streams,
    call.sessionId,
    streams.readers.open(call.request, call.reply, call.sessionId),
    wish,
  )
}

/**
 * Streams the reply to a stored message, or joins the reply in progress.
 * @throws AppError `conflict` when it is finished, `invalid` for a message that is not a question
 */
export async function generate(deps: Deps, call: Request, messageId: string, wish: ReplyWish): Promise<void> {
  const { streams } = deps
  const { user, sessionId, request, reply } = call
  const session = await findAllowed(deps.db, user, 'write session', sessionId)
  const message = await findMessage(deps.db, sessionId, messageId)
  if (message.role !== 'user')
    throw new AppError('invalid', 'A reply can only be made to a message of a person.')
  const join = () =>
    attachTask(streams, sessionId, streams.readers.open(request, reply, sessionId), {
      after: lastEventId(request),
      chunks: false,
    })
  if (await isAnswering(deps, sessionId, messageId)) return join()
  if (await hasFinishedReply(deps.db, messageId)) throw answered()
  const plan: ReplyPlan = await planReply(deps, user, session, { ...wishOf(message), ...withoutEmpty(wish) })
  const prepare = async (trx: Kysely<Tables>) => {
    if (await hasFinishedReply(trx, messageId)) throw answered()
    return message
  }
  try {
    await streamReply(deps, call, plan, prepare)
  } catch (error) {
    if (await isAnswering(deps, sessionId, messageId)) return join()
    throw error
  }
}

/** Starts the reply to the message that `prepare` finds or stores, and streams it. */
export async function streamReply(
  deps: Deps,
  { request, reply }: Pick<Request, 'request' | 'reply'>,
  plan: ReplyPlan,
  prepare: (trx: Kysely<Tables>) => Promise<Message>,
): Promise<void> {
  const { streams } = deps
  await startReply(deps, plan, prepare, (run) => {
    void attachBegun(streams, run, streams.readers.open(request, reply, run.sessionId))
  })
}

/** Returns the reply options stored with a message. */
export function wishOf({ metadata }: Message): ReplyWish {
  const { tool_choice, model_name } = metadata
  const mentions = mentionsOf(metadata).map(({ kind, id }) => ({ kind, id }))
  return {
    ...(mentions.length > 0 && { mentions }),
    tool_choice: typeof tool_choice === 'string' ? tool_choice : null,
    model_name: typeof model_name === 'string' ? model_name : null,
  }
}

/** Treats empty texts in reply options as absent. */
export function withoutEmpty(wish: ReplyWish): ReplyWish {
  return Object.fromEntries(Object.entries(wish).filter(([, value]) => value))
}

function answered(): AppError {
  return new AppError('conflict', 'This message has been answered. Regenerate the reply instead.')
}
