import type { Kysely } from 'kysely'
import type { Mention } from '#shared/chat/messages/mentions.ts'
import type { UsedThing } from '#shared/chat/schedules/settings.ts'
import { AppError } from '#shared/platform/errors.ts'
import { localeOf } from '#shared/platform/locale.ts'
import { readUser } from '../../../identity/accounts/accounts.ts'
import { linkToSession } from '../../../knowledge/documents/documents.ts'
import { findModelFor } from '../../../models/model-choice/model-choice.ts'
import { findAllowed } from '../../../platform/access/access.ts'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import type { Deps } from '../../../tools/deps.ts'
import { readMentions } from '../../mentions/mentions.ts'
import { appendMessage, planMessage, startReply } from '../../messages/messages.ts'
import { insertSession } from '../../sessions/sessions.ts'
import { readEventData } from '../triggers/event-data.ts'
import { type DueSlot, lockSlot, lookAtSlot, markStarted, removeEmptyChat } from './due-store.ts'
import { messageOf } from './message-of.ts'

/** A thing that a schedule uses and its owner may not use any more. */
export class WithdrawnError extends Error {
  readonly thing: string
  readonly detail: string

  constructor(thing: string, { detail }: AppError) {
    super(detail)
    this.thing = thing
    this.detail = detail
  }
}

export type Outcome = 'started' | 'busy' | 'gone'

/**
 * Starts the run of a slot with the current rights of its owner. Message, run and slot are one commit, so that a second start
 * does nothing. @throws WithdrawnError, and the errors of `planMessage`
 */
export async function startSlot(deps: Deps, slot: DueSlot): Promise<Outcome> {
  const found = await lookAtSlot(deps.db, slot)
  if (found !== 'free') return found
  const owner = await ownerOf(deps, slot)
  const mentions = slot.things.map(({ kind, id }): Mention => ({ kind, id }))
  for (const thing of slot.things) await assertUsable(deps, owner, thing)
  const event = await readEvent(deps, owner, slot)
  if (slot.model_name) await assertModel(deps, owner, slot.model_name)
  const sessionId = await chatOf(deps, owner, slot)
  const document_ids = event?.files ?? []
  if (document_ids.length > 0) await linkToSession(deps.db, sessionId, document_ids)
  let outcome: Outcome = 'started'
  const start = async () => {
    const session = await findAllowed(deps.db, owner, 'write session', sessionId)
    const content = messageOf(slot, owner, deps.clock.now(), event)
    const documents = (event?.documents ?? []).map(({ kind, id }): Mention => ({ kind, id }))
    const wish = { mentions: [...mentions, ...documents], model_name: slot.model_name }
    const { plan, mentions: named } = await planMessage(deps, owner, session, wish)
    const store = async (trx: Kysely<Tables>) => {
      const found = await lockSlot(trx, slot)
      if (found !== 'free') {
        outcome = found
        throw new AppError('conflict', 'This slot does not start now.')
      }
      const message = {
        ...{ content, client_id: `slot ${slot.id}`, mentions: named, model_name: slot.model_name },
        document_ids,
        ...{ author_id: owner.id, is_by_others: slot.is_by_others || event !== null },
      }
      const stored = await appendMessage(trx, deps, sessionId, message)
      await markStarted(trx, slot, stored.id, sessionId)
      return stored
    }
    await startReply(deps, { ...plan, limits: limitsOf(plan.limits, slot) }, store)
  }
  try {
    await start()
    return outcome
  } catch (error) {
    if (sessionId === slot.id) await removeEmptyChat(deps.db, sessionId)
    if (outcome !== 'started') return outcome
    throw error
  }
}

/** Returns the data of the event that started the slot. @throws WithdrawnError for what the owner may no longer read */
async function readEvent(deps: Deps, owner: Caller, { delivery, fields, name }: DueSlot) {
  if (!delivery) return null
  try {
    return await readEventData(deps, owner, delivery, fields)
  } catch (error) {
    if (error instanceof AppError) throw new WithdrawnError(name, error)
    throw error
  }
}

/** Returns the owner as a caller, with the rights of this moment. */
async function ownerOf(deps: Deps, { user_id, time_zone, is_active }: DueSlot): Promise<Caller> {
  if (!is_active) throw new AppError('forbidden', 'The account of the owner is closed.')
  const user = await readUser(deps, user_id)
  return { kind: 'user', ...user, timeZone: time_zone, tokenHash: Buffer.alloc(0), verified: true }
}

async function assertUsable(deps: Deps, owner: Caller, { kind, id, name }: UsedThing): Promise<void> {
  try {
    await readMentions(deps, owner, [{ kind, id }])
  } catch (error) {
    if (error instanceof AppError) throw new WithdrawnError(name || id, error)
    throw error
  }
}

async function assertModel(deps: Deps, owner: Caller, name: string): Promise<void> {
  try {
    await findModelFor(deps, owner.id, name)
  } catch (error) {
    if (error instanceof AppError) throw new WithdrawnError(name, error)
    throw error
  }
}

/** Returns the chat for the result. A new chat has the id of the slot. */
async function chatOf(deps: Deps, owner: Caller, slot: DueSlot): Promise<string> {
  if (slot.target === 'one_chat' && slot.session_id) {
    const isThere = await findAllowed(deps.db, owner, 'write session', slot.session_id).then(
      () => true,
      (error) => {
        if (error instanceof AppError) return false
        throw error
      },
    )
    if (isThere) return slot.session_id
  }
  const find = (wanted: UsedThing['kind']) => slot.things.find(({ kind }) => kind === wanted)?.id
  const [assistant_id, workspace_id] = [find('assistant'), find('workspace')]
  await insertSession(deps.db, {
    ...{ id: slot.id, user_id: slot.user_id, title: titleOf(slot, owner), title_source: 'user' },
    ...{ model_name: slot.model_name, session_metadata: toJson({ ...(assistant_id && { assistant_id }) }) },
    ...(workspace_id && { workspace_id }),
  })
  return slot.id
}

/** Titles of a schedule's chats differ by their day. */
function titleOf({ name, target, due_at, time_zone }: DueSlot, { language }: Caller): string {
  if (target === 'one_chat') return name
  const format = new Intl.DateTimeFormat(localeOf(language), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: time_zone,
  })
  return `${name}, ${format.format(due_at)}`
}

type Limits = { model_calls: number; steps: number; seconds: number; cost?: number }

function limitsOf(limits: Limits, { max_cost, max_minutes }: DueSlot): Limits {
  const seconds = Math.min(limits.seconds, max_minutes === null ? limits.seconds : max_minutes * 60)
  return { ...limits, seconds, ...(max_cost !== null && { cost: max_cost }) }
}
