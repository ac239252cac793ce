import { readUser } from '../../../identity/accounts/accounts.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import type { Deps } from '../../../tools/deps.ts'
import type { StoredChannel } from '../channel-store.ts'
import type { KnownPerson } from '../people/people.ts'
import { removeEmptyChat, settleEvent, type WaitingEvent } from './message-store.ts'
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

/** Returns a person as a caller, with the rights of this moment. */
export async function callerOf(deps: Deps, userId: string): Promise<Caller & { kind: 'user' }> {
  const user = await readUser(deps, userId)
  return { kind: 'user', ...user, tokenHash: Buffer.alloc(0), verified: true }
}

export const languageOf = ({ user }: Pick<KnownPerson, 'user'>) => user?.language ?? 'en'
