import { AppError } from '#shared/platform/errors.ts'
import type { Language } from '#shared/platform/primitives.ts'
import { previewPassages } from '../../../knowledge/rag/rag.ts'
import { type FoundRequest, findRequest } from '../../../runs/input-requests/input-requests.ts'
import type { Deps } from '../../../tools/deps.ts'
import type { StoredChannel } from '../channel-store.ts'
import { audienceOf } from '../people/audience.ts'
import { type Sentence, say } from '../said.ts'
import type { Said, Wire } from '../wire.ts'
import { citedPassages, composeAnswer } from './compose-answer.ts'
import {
  type AnswerOfMessage,
  claimPost,
  countReadable,
  findAnswer,
  findSources,
  listDue,
  listToClose,
  markClosed,
  type Post,
  postponeClosing,
  settlePost,
} from './post-store.ts'
import { isAnsweredByTyping, offeredAnswers } from './question.ts'
import { callerOf } from './refuse.ts'

const BATCH = 20
const MAX_TRIES = 12
/** Characters of a call that a question shows. */
const MAX_CALL = 2_000

/** Says what is due. A post is started before it leaves; an interrupted one is looked for at the service first. */
export async function sendPosts(deps: Deps, wire: Wire, channel: StoredChannel): Promise<void> {
  for (const post of await listDue(deps.db, channel.id, BATCH)) {
    if (!(await claimPost(deps.db, post.id))) continue
    try {
      await send(deps, wire, channel, post)
    } catch (error) {
      await noteFailure(deps, post, error)
      throw error
    }
  }
}

async function send(deps: Deps, wire: Wire, channel: StoredChannel, post: Post): Promise<void> {
  const { db } = deps
  if (post.kind === 'private') {
    // A private message cannot be looked for. One that may have been shown is not shown again.
    if (post.was_started) return settlePost(db, post.id, { state: 'unknown' })
    await wire.tell(post, post.recipient ?? '', post.body)
    return settlePost(db, post.id, { state: 'posted' })
  }
  const found = post.was_started ? await wire.find(post, post.id) : null
  if (found !== null) return settlePost(db, post.id, { state: 'posted', foreignId: found })
  const said = await compose(deps, channel, post)
  if (said === null)
    return settlePost(db, post.id, { state: 'failed', detail: 'There is nothing to say any more.' })
  await settlePost(db, post.id, { state: 'posted', foreignId: await wire.post(post, said) })
}

/**
 * A refusal to wait, or any other refusal, came from the service, so nothing was posted. Without an answer the post may have arrived:
 * it stays started and is looked for.
 */
async function noteFailure({ db }: Deps, post: Post, error: unknown): Promise<void> {
  if (!(error instanceof AppError)) return
  const isOver = post.tries + 1 >= MAX_TRIES
  const { code, detail, retryAfterSeconds: waits = 5 } = error
  if (code === 'rate_limited')
    await settlePost(db, post.id, { state: post.was_started ? 'started' : 'waiting', waits, detail })
  else if (code !== 'unavailable' || isOver) await settlePost(db, post.id, { state: 'failed', detail })
}

/** Returns what a post says now; null when there is nothing to say any more. */
async function compose(deps: Deps, channel: StoredChannel, post: Post): Promise<Said | null> {
  if (post.kind === 'notice') return { id: post.id, text: post.body }
  if (post.kind === 'question') return composeQuestion(deps, channel, post)
  const answer = post.event_id === null ? null : await findAnswer(deps.db, post.event_id)
  if (!answer) return null
  const { language } = await callerOf(deps, answer.user_id)
  const words = wordsFor(language, `${deps.publicUrl()}/chat/${answer.session_id}`)
  if (!answer.content) return { id: post.id, text: words('no_reply') }
  if (!(await isReadableThere(deps, answer))) return { id: post.id, text: words('not_for_all') }
  const { content, blocks } = answer
  const publicUrl = deps.publicUrl()
  const text = composeAnswer({ content, blocks, publicUrl, sources: words('sources'), more: words('more') })
  return { id: post.id, text }
}

const wordsFor =
  (language: Language, url: string) =>
  (sentence: Sentence, values: Record<string, string> = {}) =>
    say(language, sentence, { url, ...values })

/** Returns whether everyone who reads the answer may read, at this moment, all that its run read. */
async function isReadableThere(deps: Deps, answer: AnswerOfMessage): Promise<boolean> {
  const audience = await audienceOf(deps, answer.session_id, { isNow: true })
  if (!audience) return true
  const { documents, hasDatabase } = await findSources(deps.db, answer.run_ids)
  if (hasDatabase) return false
  for (const reader of audience) {
    if ((await countReadable(deps.db, reader, documents)) < documents.length) return false
    const passages = citedPassages(answer.content ?? '')
    if ((await previewPassages(deps, reader, passages)).length < passages.length) return false
  }
  return true
}

/** A question whose answer is known has no buttons. */
async function composeQuestion(deps: Deps, channel: StoredChannel, post: Post): Promise<Said | null> {
  const { run_id, request_key } = post
  const request = run_id && request_key ? await findRequest(deps.db, { run_id, key: request_key }) : null
  if (!request) return null
  const { language, full_name, username } = await callerOf(deps, request.user_id)
  const words = wordsFor(
    language,
    `${deps.publicUrl()}${request.session_id ? `/chat/${request.session_id}` : '/inbox'}`,
  )
  const approver = [request.request.approver?.by?.name, request.request.approver?.deputy?.name]
    .filter(Boolean)
    .join(', ')
  const asked = request.names_approver ? approver : full_name || username
  const lines = [`**${request.request.prompt}**`, ...callOf(request)]
  if (request.state !== 'waiting')
    return { id: post.id, text: [...lines, outcomeOf(request, words)].join('\n') }
  const offered = offeredAnswers(request.request)
  const isTyped = isAnsweredByTyping(request)
  lines.push(
    words(offered.length > 0 ? 'asked' : isTyped ? 'asked_typing' : 'asked_product', {
      name: asked,
      service: channel.name,
    }),
  )
  const buttons = offered.map(({ label, isPrimary = false }, choice) => ({
    label: 'text' in label ? label.text : words(label.sentence),
    ...{ choice, isPrimary },
  }))
  return { id: post.id, text: lines.join('\n'), buttons }
}

/** Returns the call that an approval is about, as it would be made. */
function callOf({ request: { tool } }: FoundRequest): string[] {
  if (!tool) return []
  const hosts = tool.outward?.hosts.join(', ')
  const input = JSON.stringify(tool.input ?? {}, null, 1)
  const shown = input.length > MAX_CALL ? `${input.slice(0, MAX_CALL)} …` : input
  return [`${tool.tool_name}${hosts ? ` → ${hosts}` : ''}`, '```', shown.replaceAll('```', "'''"), '```']
}

function outcomeOf({ state, answer, request }: FoundRequest, words: (sentence: Sentence) => string): string {
  if (state === 'expired') return words('late')
  if (state === 'closed' || !answer) return words('gone')
  if (request.kind !== 'approval') return words('answered')
  const approved = (answer.input as { approved?: boolean } | null)?.approved === true
  return words(approved ? 'approved' : 'declined')
}

/** Takes the buttons from questions that were answered here or in the product. */
export async function closeQuestions(deps: Deps, wire: Wire, channel: StoredChannel): Promise<void> {
  for (const post of await listToClose(deps.db, channel.id, BATCH)) {
    const said = await composeQuestion(deps, channel, post)
    try {
      if (said && post.foreign_id !== null) await wire.change(post, post.foreign_id, said)
      await markClosed(deps.db, post.id)
    } catch (error) {
      const isRefused = error instanceof AppError && error.code === 'invalid'
      if (isRefused || post.tries > MAX_TRIES) await markClosed(deps.db, post.id)
      else await postponeClosing(deps.db, post.id, 10)
      if (!isRefused) throw error
    }
  }
}
