import { AppError } from '#shared/platform/errors.ts'
import { readUser } from '../../../identity/accounts/accounts.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import type { Deps } from '../../../tools/deps.ts'
import type { StoredChannel } from '../channel-store.ts'
import { type KnownPerson, readAsker } from '../people/people.ts'
import { AsksToWait, type Wire } from '../wire.ts'
import {
  noteTry,
  postponeOfSender,
  removeEmptyChat,
  settleEvent,
  type WaitingEvent,
} from './message-store.ts'
import { insertPost } from './post-store.ts'

/** Decides to say one sentence, in the transaction that settles the event. After a press, the person alone sees it. */
export async function refuse(
  { db }: Pick<Deps, 'db'>,
  channel: StoredChannel,
  event: WaitingEvent,
  sentence: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const to = { channelId: channel.id, threadId: event.thread_id, eventId: event.id }
    const isPress = event.kind === 'press'
    await insertPost(trx, {
      ...{ ...to, kind: isPress ? 'private' : 'notice', body: sentence },
      ...(isPress && { recipient: event.sender }),
    })
    await removeEmptyChat(trx, event.id)
    await settleEvent(trx, event.id, sentence)
  })
}

/**
 * Returns who wrote an event. Null when it was settled: the service does not know them any more, or it failed too often.
 * @throws AppError of the service, after the event was postponed
 */
export async function takeAsker(
  deps: Deps,
  wire: Wire,
  channel: StoredChannel,
  event: WaitingEvent,
): Promise<KnownPerson | null> {
  try {
    return await readAsker(deps, wire, channel, event, event.sender)
  } catch (error) {
    if (!(error instanceof AppError) || error instanceof AsksToWait) throw error
    if (error.code === 'not_found') await settleEvent(deps.db, event.id, error.detail)
    else if (await tryLater(deps, channel, event, error.detail)) {
      await postponeOfSender(deps.db, channel.id, event.sender)
      throw error
    }
    return null
  }
}

/** Postpones an event that failed. Returns false when it failed too often, and was refused instead. */
export async function tryLater(
  { db }: Pick<Deps, 'db'>,
  channel: StoredChannel,
  event: WaitingEvent,
  sentence: string,
): Promise<boolean> {
  const isLast = await noteTry(db, event.id)
  if (isLast) await refuse({ db }, channel, event, sentence)
  return !isLast
}

/** Returns a person as a caller, with the rights of this moment. */
export async function callerOf(deps: Deps, userId: string): Promise<Caller & { kind: 'user' }> {
  const user = await readUser(deps, userId)
  return { kind: 'user', ...user, tokenHash: Buffer.alloc(0), verified: true }
}

export const languageOf = ({ user }: Pick<KnownPerson, 'user'>) => user?.language ?? 'en'
