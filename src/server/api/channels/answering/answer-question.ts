import { AppError } from '#shared/platform/errors.ts'
import { enterAsVisitor, findOpenOf } from '../../../chat/embeds/embeds.ts'
import { actorById, writeAudit } from '../../../identity/audit/audit.ts'
import { assertTermsAccepted } from '../../../identity/terms/terms.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import {
  answerRequest,
  approveRequest,
  type FoundRequest,
  findRequest,
  isWritable,
} from '../../../runs/input-requests/input-requests.ts'
import type { Deps } from '../../../tools/deps.ts'
import type { StoredChannel } from '../channel-store.ts'
import type { KnownPerson } from '../people/people.ts'
import { say } from '../said.ts'
import type { Wire } from '../wire.ts'
import { settleEvent, type WaitingEvent } from './message-store.ts'
import { findOpenQuestion, findRequestOfPost, isTypedAnswer } from './post-store.ts'
import { isAnsweredByTyping, isGivenByButton, offeredAnswers, pathOfRequest } from './question.ts'
import { callerOf, languageOf, refuse, takeAsker, tryLater } from './refuse.ts'

/** Gives the answer of a pressed button, or tells the person alone why not. A refusal of the service is thrown. */
export async function answerPress(
  deps: Deps,
  wire: Wire,
  channel: StoredChannel,
  event: WaitingEvent,
): Promise<void> {
  const presser = await takeAsker(deps, wire, channel, event)
  if (!presser) return
  const language = languageOf(presser)
  try {
    const which = event.post_id === null ? null : await findRequestOfPost(deps.db, event.post_id)
    const request = which && (await findRequest(deps.db, which))
    const offered = request && offeredAnswers(request.request)[event.choice ?? -1]
    if (!request || !offered) throw new AppError('not_found', say(language, 'gone'))
    const caller = await addresseeOf(deps, event, presser, request)
    if (!caller) throw new AppError('forbidden', say(language, 'not_yours'))
    if (!isGivenByButton(request.request, event.choice ?? -1)) {
      const url = deps.publicUrl() + pathOfRequest(request)
      throw new AppError(
        'forbidden',
        say(language, 'asked_cut', {
          name: presser.user?.full_name || presser.user?.username || caller.username,
          url,
        }),
      )
    }
    const { input, input_type } = offered
    await give(deps, caller, request, { input, input_type })
    await settleEvent(deps.db, event.id)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'unavailable') return void (await tryLater(deps, channel, event, error.detail))
    await refuse(deps, channel, event, sentenceOf(error, language))
  }
}

/** Takes a message as the answer to the open question of its thread, if it comes from the person who was asked. */
export async function answerByTyping(deps: Deps, event: WaitingEvent, writer: KnownPerson): Promise<boolean> {
  if (await isTypedAnswer(deps.db, event)) return true
  const which = await findOpenQuestion(deps.db, event.thread_id)
  const request = which && (await findRequest(deps.db, which))
  if (!request || !isAnsweredByTyping(request)) return false
  const caller = await addresseeOf(deps, event, writer, request)
  if (!caller) return false
  await give(deps, caller, request, { input: event.body, input_type: 'text' })
  return true
}

/** Returns the person as a caller if the request is for them; null for anybody else. */
async function addresseeOf(
  deps: Deps,
  event: WaitingEvent,
  { user, visitor_id }: KnownPerson,
  request: FoundRequest,
): Promise<Caller | null> {
  if (event.visitor_id !== null) {
    if (visitor_id !== event.visitor_id || event.assistant_id === null) return null
    const open = await findOpenOf(deps, event.assistant_id)
    return open && enterAsVisitor(deps, open, visitor_id, 'en')
  }
  if (!user) return null
  const caller = await callerOf(deps, user.id)
  if (!request.names_approver && request.user_id !== user.id) return null
  return (await isWritable(deps.db, caller, request)) ? caller : null
}

type Given = { input: unknown; input_type: 'boolean' | 'text' | 'json' }

async function give(deps: Deps, caller: Caller, request: FoundRequest, given: Given): Promise<void> {
  if (caller.kind === 'user') await assertTermsAccepted(deps.db, caller.id)
  if (!request.names_approver) {
    await answerRequest(deps, caller, request, given)
    return
  }
  await approveRequest(deps, caller, request, given, async (trx, isApproved) =>
    writeAudit(trx, deps.clock.now(), {
      ...{ actor: (await actorById(trx, caller.id, null)).actor, changes: [] },
      companyId: request.approver_company_id,
      ...{ did: isApproved ? 'approval.given' : 'approval.refused' },
      ...{
        subject: request.request.tool?.tool_name ?? '',
        subjectId: request.request.tool?.tool_execution_id ?? null,
      },
    }),
  )
}

/** The sentences of the product are English. Those that a press leads to are said in the person's language. */
function sentenceOf(error: AppError, language: 'en' | 'fr'): string {
  switch (error.code) {
    case 'already_answered':
      return say(language, 'answered')
    case 'deadline_passed':
      return say(language, 'late')
    case 'conflict':
      return say(language, 'gone')
    default:
      return error.detail
  }
}
