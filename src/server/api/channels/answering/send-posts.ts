import { AppError } from '#shared/platform/errors.ts'
import type { Language } from '#shared/platform/primitives.ts'
import { previewPassages } from '../../../knowledge/rag/rag.ts'
import { isUnreachable } from '../../../platform/db/db.ts'
import { type FoundRequest, findRequest } from '../../../runs/input-requests/input-requests.ts'
import type { Deps } from '../../../tools/deps.ts'
import type { StoredChannel } from '../channel-store.ts'
import { readersOfThread } from '../people/audience.ts'
import { type Sentence, say } from '../said.ts'
import type { Said, Wire } from '../wire.ts'
import { citedPassages, composeAnswer } from './compose-answer.ts'
import {
  claimPost,
  findAnswer,
  listDue,
  listToClose,
  markClosed,
  mayReadSources,
  noteHidden,
  type Post,
  postponeClosing,
  removePost,
  settlePost,
} from './post-store.ts'
import { isAnsweredByTyping, isGivenByButton, offeredAnswers, pathOfRequest, showCall } from './question.ts'
import { callerOf } from './refuse.ts'
import { runAll } from './run-all.ts'
import { withTrueLinks } from './true-links.ts'

const BATCH = 20
const MAX_TRIES = 12

/** The last step that was tried. A refusal to look for a post says nothing about it. */
type Step = 'finding' | 'composing' | 'posting'

/** Says what is due. A post is started before it leaves; an interrupted one is looked for at the service first. */
export async function sendPosts(deps: Deps, wire: Wire, channel: StoredChannel): Promise<void> {
  await runAll(await listDue(deps.db, channel.id, BATCH), async (post) => {
    if (!(await claimPost(deps.db, post.id))) return
    let step: Step = 'finding'
    try {
      await send(deps, wire, post, (next) => {
        step = next
      })
    } catch (error) {
      await noteFailure(deps, post, step, error)
      throw error
    }
  })
}

async function send(deps: Deps, wire: Wire, post: Post, begin: (step: Step) => void): Promise<void> {
  const { db } = deps
  if (post.kind === 'private') {
    // A private message cannot be looked for. One that may have been shown is not shown again.
    if (post.was_started) return settlePost(db, post.id, { state: 'unknown', detail: INTERRUPTED })
    begin('posting')
    await wire.tell(post, post.recipient ?? '', post.body)
    return settlePost(db, post.id, { state: 'posted' })
  }
  const found = post.was_started ? await wire.find(post, post.id) : null
  if (found !== null) return settlePost(db, post.id, { state: 'posted', foreignId: found })
  begin('composing')
  const said = await compose(deps, post)
  if (said === null) return removePost(db, post.id)
  begin('posting')
  await settlePost(db, post.id, { state: 'posted', foreignId: await wire.post(post, said) })
}

const INTERRUPTED = 'It was interrupted while it was sent.'

/**
 * A refusal to wait, or any other refusal, came from the service, so nothing was posted. Without an answer the post may have arrived:
 * it stays started and is looked for. When the service refuses to look for it, or never answers, no one knows.
 */
async function noteFailure({ db, log }: Deps, post: Post, step: Step, error: unknown): Promise<void> {
  if (isUnreachable(error)) return
  const isOver = post.tries + 1 >= MAX_TRIES
  if (!(error instanceof AppError)) {
    log.error({ err: error, post: post.id }, 'A post of a channel could not be sent.')
    if (isOver) await settlePost(db, post.id, { state: 'failed', detail: 'It could not be written.' })
    return
  }
  const { code, detail, retryAfterSeconds: waits = 5 } = error
  if (code === 'rate_limited')
    return settlePost(db, post.id, { state: post.was_started ? 'started' : 'waiting', waits, detail })
  if (code === 'unavailable' && !isOver) return
  const mayHaveArrived = step === 'finding' || (step === 'posting' && code === 'unavailable')
  await settlePost(db, post.id, { state: mayHaveArrived ? 'unknown' : 'failed', detail })
}

/** Returns what a post says now; null when there is nothing to say any more. */
async function compose(deps: Deps, post: Post): Promise<Said | null> {
  if (post.kind === 'notice') return { id: post.id, text: post.body }
  if (post.kind === 'question') return composeQuestion(deps, post)
  const answer = post.event_id === null ? null : await findAnswer(deps.db, post.event_id)
  if (!answer) return null
  const { language } = await callerOf(deps, answer.user_id)
  const url = `${deps.publicUrl()}/chat/${answer.session_id}`
  const words = wordsFor({ language, url, isVisitor: answer.visitor_id !== null })
  if (!answer.content) return { id: post.id, text: words('no_reply') }
  if (!(await isReadableThere(deps, post, answer.run_id, answer.content)))
    return { id: post.id, text: words('not_for_all') }
  const { content, blocks } = answer
  const publicUrl = deps.publicUrl()
  const text = composeAnswer({ content, blocks, publicUrl, sources: words('sources'), more: words('more') })
  return { id: post.id, text }
}

/** Sentences for visitors, who have no account to open the product or to be named by. */
const forVisitors: Partial<Record<Sentence, Sentence>> = {
  no_reply: 'visitor_no_reply',
  not_for_all: 'visitor_not_for_all',
  more: 'visitor_more',
  asked: 'visitor_asked',
  asked_choice: 'visitor_asked',
  asked_typing: 'visitor_asked_typing',
  asked_cut: 'visitor_asked_product',
  asked_product: 'visitor_asked_product',
  asked_hidden: 'visitor_asked_hidden',
}

const wordsFor =
  ({ language, url, isVisitor }: { language: Language; url: string; isVisitor: boolean }) =>
  (sentence: Sentence, values: Record<string, string> = {}) =>
    say(language, (isVisitor && forVisitors[sentence]) || sentence, { url, ...values })

/**
 * Returns whether everyone in the channel may read, at this moment, all that a run and the conversation before it read, and the passages
 * that its text cites.
 */
async function isReadableThere(
  deps: Deps,
  { thread_id }: Pick<Post, 'thread_id'>,
  runId: string,
  text = '',
): Promise<boolean> {
  const readers = await readersOfThread(deps, thread_id, { isNow: true })
  const passages = citedPassages(text)
  for (const reader of readers ?? []) {
    if (!(await mayReadSources(deps.db, reader, runId))) return false
    if ((await previewPassages(deps, reader, passages)).length < passages.length) return false
  }
  return true
}

/** A question whose answer is known has no buttons. One that not everyone in the channel may read waits in the product. */
async function composeQuestion(deps: Deps, post: Post): Promise<Said | null> {
  const { run_id, request_key } = post
  const request = run_id && request_key ? await findRequest(deps.db, { run_id, key: request_key }) : null
  if (!request) return null
  const { language, full_name, username } = await callerOf(deps, request.user_id)
  const url = deps.publicUrl() + pathOfRequest(request)
  const words = wordsFor({ language, url, isVisitor: post.is_of_visitor })
  const approver = [request.request.approver?.by?.name, request.request.approver?.deputy?.name]
    .filter(Boolean)
    .join(', ')
  const asked = request.names_approver ? approver : full_name || username
  const isHidden = !(await isReadableThere(deps, post, request.run_id))
  await noteHidden(deps.db, post.id, isHidden)
  if (isHidden) {
    const sentence = request.state === 'waiting' ? 'asked_hidden' : outcomeOf(request)
    return { id: post.id, text: words(sentence, { name: asked }) }
  }
  const lines = [`**${withTrueLinks(request.request.prompt)}**`, ...showCall(request.request).lines]
  if (request.state !== 'waiting')
    return { id: post.id, text: [...lines, words(outcomeOf(request))].join('\n') }
  const buttons = offeredAnswers(request.request)
    .map(({ label, isPrimary = false }, choice) => ({
      label: 'text' in label ? label.text : words(label.sentence),
      ...{ choice, isPrimary },
    }))
    .filter(({ choice }) => isGivenByButton(request.request, choice))
  lines.push(words(sentenceFor(request, buttons.length > 0), { name: asked }))
  return { id: post.id, text: lines.join('\n'), buttons }
}

/** Returns the sentence that says how a question is answered. */
function sentenceFor(request: FoundRequest, hasButtons: boolean): Sentence {
  if (!showCall(request.request).isWhole) return 'asked_cut'
  if (hasButtons) return request.request.tool ? 'asked' : 'asked_choice'
  return isAnsweredByTyping(request) ? 'asked_typing' : 'asked_product'
}

function outcomeOf({ state, answer, request }: FoundRequest): Sentence {
  if (state === 'expired') return 'late'
  if (state === 'closed' || !answer) return 'gone'
  if (request.kind !== 'approval') return 'answered'
  const approved = (answer.input as { approved?: boolean } | null)?.approved === true
  return approved ? 'approved' : 'declined'
}

/** Takes the buttons from questions that were answered here or in the product. */
export async function closeQuestions(deps: Deps, wire: Wire, channel: StoredChannel): Promise<void> {
  await runAll(await listToClose(deps.db, channel.id, BATCH), async (post) => {
    try {
      const said = await composeQuestion(deps, post)
      if (said && post.foreign_id !== null) await wire.change(post, post.foreign_id, said)
      await markClosed(deps.db, post.id)
    } catch (error) {
      const isRefused = error instanceof AppError && error.code === 'invalid'
      if (isRefused || post.tries > MAX_TRIES) await markClosed(deps.db, post.id)
      else await postponeClosing(deps.db, post.id, 10)
      if (!isRefused) throw error
    }
  })
}
