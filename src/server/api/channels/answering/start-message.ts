import type { Kysely } from 'kysely'
import { defaultTitle } from '#shared/chat/sessions/titles.ts'
import { AppError } from '#shared/platform/errors.ts'
import { countVisit, enterAsVisitor, findOpenOf, insertVisitedChat } from '../../../chat/embeds/embeds.ts'
import { appendMessage, checkContent, planMessage, startReply } from '../../../chat/messages/messages.ts'
import { insertSession } from '../../../chat/sessions/sessions.ts'
import { assertTermsAccepted, hasDueTerms } from '../../../identity/terms/terms.ts'
import { findAllowed } from '../../../platform/access/access.ts'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import type { Deps } from '../../../tools/deps.ts'
import type { StoredChannel } from '../channel-store.ts'
import { readersOfThread } from '../people/audience.ts'
import type { KnownPerson } from '../people/people.ts'
import { isPersonOf, noteVisitor } from '../people/people-store.ts'
import { say } from '../said.ts'
import { AsksToWait, type Wire } from '../wire.ts'
import { answerByTyping } from './answer-question.ts'
import {
  countOfOthers,
  hasEarlier,
  lockWaiting,
  markAnswering,
  postpone,
  settleEvent,
  type WaitingEvent,
} from './message-store.ts'
import { callerOf, languageOf, refuse, takeAsker, tryLater } from './refuse.ts'

/** Seconds until a message is tried again whose chat is busy. */
const RETRY_S = 5
/** Seconds until a message is tried again whose thread waits for another person. The end of that reply comes first. */
const LATER_S = 60

/** Messages of others per person and day that are answered at that person's expense. */
const MAX_OF_OTHERS = 100

/** A plain sentence for the thread. */
class Refused extends AppError {
  constructor(sentence: string) {
    super('forbidden', sentence)
  }
}

/** Starts the run of a message, or says why it cannot. A refusal of the service is thrown. */
export async function startMessage(
  deps: Deps,
  wire: Wire,
  channel: StoredChannel,
  event: WaitingEvent,
): Promise<void> {
  const asker = await takeAsker(deps, wire, channel, event)
  if (!asker) return
  if (asker.is_bot) return settleEvent(deps.db, event.id)
  try {
    if (event.body === '') throw new Refused(say(languageOf(asker), 'empty'))
    if (await answerByTyping(deps, event, asker)) return await settleEvent(deps.db, event.id)
    if (await hasEarlier(deps.db, event)) return await postpone(deps.db, event.id, LATER_S)
    await start(deps, channel, event, asker)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error instanceof AsksToWait) return postpone(deps.db, event.id, error.retryAfterSeconds ?? RETRY_S)
    if (error.code === 'session_busy') return postpone(deps.db, event.id, RETRY_S)
    if (error.code === 'unavailable') return void (await tryLater(deps, channel, event, error.detail))
    await refuse(deps, channel, event, error.detail)
  }
}

/** Message, run and state of the event are one commit, so that a second start does nothing. */
async function start(
  deps: Deps,
  channel: StoredChannel,
  event: WaitingEvent,
  asker: KnownPerson,
): Promise<void> {
  // Listed before the run begins, so that it need not wait for the service.
  if (event.place_name !== null) await readersOfThread(deps, event.thread_id)
  const { caller, sessionId } = await openChat(deps, channel, event, asker)
  const session = await findAllowed(deps.db, caller, 'write session', sessionId)
  const assistant = event.assistant_id
  const { plan } = await planMessage(deps, caller, session, {
    mentions: assistant && caller.kind === 'user' ? [{ kind: 'assistant', id: assistant }] : [],
  })
  const content = checkContent(event.body)
  const author_id = caller.kind === 'visitor' ? caller.id : (asker.user?.id ?? caller.id)
  let isTaken = false
  const store = async (trx: Kysely<Tables>) => {
    isTaken = !(await lockWaiting(trx, event.id))
    if (isTaken) throw new AppError('conflict', 'This message is being answered.')
    await countVisit(trx, deps.clock, caller, content)
    const message = { content, client_id: `channel ${event.id}`, author_id }
    const stored = await appendMessage(trx, deps, sessionId, message)
    await markAnswering(trx, event, stored.id, sessionId)
    return stored
  }
  try {
    await startReply(deps, plan, store)
  } catch (error) {
    if (!isTaken) throw error
  }
}

type OpenChat = { caller: Caller; sessionId: string }

/**
 * Returns the chat of the thread and in whose name it is answered: the person who began it and pays. Others with an account may write in
 * it too, because the reply reads only what all members may read. If the person who began it is gone, the next one begins another chat.
 */
async function openChat(
  deps: Deps,
  channel: StoredChannel,
  event: WaitingEvent,
  asker: KnownPerson,
): Promise<OpenChat> {
  const language = languageOf(asker)
  if (event.place_name === null || (event.assistant_id === null && !event.is_direct))
    throw new Refused(say(language, event.is_direct ? 'no_direct' : 'no_assistant'))
  if (event.session_id !== null && event.visitor_id === null) {
    if (!asker.user) throw new Refused(say(language, 'other_thread'))
    await assertTermsAccepted(deps.db, asker.user.id)
    const owner = await ownerOf(deps, channel, event, asker.user.id)
    if (owner) return { caller: owner, sessionId: event.session_id }
  }
  if (asker.user && event.visitor_id === null) {
    await assertTermsAccepted(deps.db, asker.user.id)
    const caller = await callerOf(deps, asker.user.id)
    return { caller, sessionId: await beginChat(deps, event, caller) }
  }
  return openVisit(deps, channel, event, asker)
}

/**
 * Returns who began a thread as the caller of a message in it; null if they are no active person of the company any more, or have not
 * accepted its terms. @throws Refused at the limit of what others may ask
 */
async function ownerOf(
  deps: Deps,
  channel: StoredChannel,
  { owner_id }: WaitingEvent,
  writerId: string,
): Promise<Caller | null> {
  if (owner_id === null || !(await isPersonOf(deps.db, channel.company_id, owner_id))) return null
  if (await hasDueTerms(deps.db, owner_id)) return null
  const owner = await callerOf(deps, owner_id)
  if (owner_id !== writerId && (await countOfOthers(deps.db, owner_id)) >= MAX_OF_OTHERS)
    throw new Refused(say(owner.language, 'others_limit'))
  return owner
}

/** Strangers get what visitors of the assistant get. */
async function openVisit(
  deps: Deps,
  channel: StoredChannel,
  event: WaitingEvent,
  asker: KnownPerson,
): Promise<OpenChat> {
  const open = event.assistant_id === null ? null : await findOpenOf(deps, event.assistant_id)
  if (!open) throw new Refused(say(languageOf(asker), 'stranger'))
  const wanted = event.visitor_id ?? asker.visitor_id
  const caller = await enterAsVisitor(deps, open, wanted, languageOf(asker))
  if (event.visitor_id === null && caller.visitor.id !== asker.visitor_id)
    await noteVisitor(deps.db, channel.id, event.sender, caller.visitor.id)
  const isSame = event.visitor_id === caller.visitor.id && event.session_id !== null
  const sessionId =
    isSame && event.session_id
      ? event.session_id
      : await insertVisitedChat(deps.db, caller.id, caller.visitor, event.id)
  return { caller, sessionId }
}

/** The chat has the id of its first event, so that an interrupted start leaves no second one. */
async function beginChat({ db }: Deps, { id, assistant_id }: WaitingEvent, caller: Caller): Promise<string> {
  await insertSession(db, {
    ...{ id, user_id: caller.id, title: defaultTitle(id) },
    session_metadata: toJson(assistant_id === null ? {} : { assistant_id }),
  })
  return id
}
