import { AppError } from '#shared/platform/errors.ts'
import type { ToolContext, ToolContract, ToolRun } from '#shared/tools/tools/tool.ts'
import type {
  Elicitation,
  ElicitationAnswer,
  Exchange,
  Happened,
  McpResult,
} from '../../../platform/mcp/mcp.ts'
import { sayPrivate } from '../say-private.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import type { StoredTool } from '../store.ts'
import type { McpDefinition } from './definition.ts'
import { questionOf, readAnswer } from './elicitation.ts'
import { followUnlessFresh } from './follow.ts'
import type { HeldCalls } from './held-calls.ts'
import { listToolsOf } from './mcp-store.ts'
import { keepPictures } from './results/keep-pictures.ts'
import { shapeResult } from './results/shape-result.ts'
import { sayProgress } from './say-progress.ts'
import { serverOf } from './server-of.ts'

/** A tool as used by a person. */
type Used = { stored: StoredTool; definition: McpDefinition; userId: string }

/** Maximum questions per call, and attempts to answer one. */
const MAX_QUESTIONS = 10
const MAX_ATTEMPTS = 3

type Worked = { kind: 'over'; result: unknown } | { kind: 'asks'; asked: Elicitation; server: string }

/**
 * Calls a tool of a server. The server's questions go through the journal: the call waits with its connection, in the
 * process that made it, until the person has answered.
 */
export function runTool(deps: OwnToolDeps, held: HeldCalls, used: Used): ToolRun<ToolContract> {
  return async (input, context) => {
    const answers: ElicitationAnswer[] = []
    for (let round = 0; round < MAX_QUESTIONS; round += 1) {
      const worked = await context.step(
        `call${round}`,
        () => goOn({ deps, held, ...used, context }, input as Record<string, unknown>, answers),
        { repeatable: used.definition.repeats },
      )
      if (worked.kind === 'over') return worked.result
      answers.push(await ask(context, round, worked))
    }
    throw new AppError(
      'conflict',
      `The server asks more than ${MAX_QUESTIONS} questions. Call it with more inputs.`,
    )
  }
}

async function ask(
  context: ToolContext,
  round: number,
  { asked, server }: Worked & { kind: 'asks' },
): Promise<ElicitationAnswer> {
  let wrong: string | null = null
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const given = await context.ask(`question${round}.${attempt}`, questionOf(server, asked, wrong))
    const read = readAnswer(asked, given)
    if (read.ok) return read.answer
    wrong = read.wrong
  }
  return { action: 'cancel' }
}

type Job = Used & { deps: OwnToolDeps; held: HeldCalls; context: ToolContext }

/** Starts the call or resumes a waiting one, up to its end or the next question. */
async function goOn(
  { deps, held, stored, definition, userId, context }: Job,
  input: Record<string, unknown>,
  answers: readonly ElicitationAnswer[],
): Promise<Worked> {
  const { executionId, signal } = context
  const standing = held.take(executionId)
  const server = await serverOf(deps, stored.set_id, userId)
  if (!standing && answers.length > 0 && !definition.repeats)
    throw new AppError(
      'unavailable',
      `${server.name} waited too long for the answer, or Atrium was restarted meanwhile. The call may have been partly executed. Call it again.`,
    )
  if (!standing) await assertSame(deps, stored)
  const exchange =
    standing ??
    deps.mcp.call(server, {
      ...{ tool: stored.key, input, header_inputs: definition.headers },
      repeats: definition.repeats,
    })
  const last = answers.at(-1)
  if (standing && last) standing.answer(last)
  const over = sayProgress(exchange, context.phase)
  // A restarted call receives the earlier answers in their order.
  const again = standing ? [] : [...answers]
  try {
    for (;;) {
      const happened = await nextOf(exchange, signal)
      if (happened.kind === 'failed') throw sayPrivate(happened.error)
      if (happened.kind === 'over')
        return { kind: 'over', result: await readResult(happened.result, definition, context) }
      const known = again.shift()
      if (!known) {
        held.hold(executionId, exchange)
        return { kind: 'asks', asked: happened.asked, server: server.name }
      }
      exchange.answer(known)
    }
  } finally {
    over()
  }
}

/** Returns the result of a call, with its pictures stored. */
async function readResult(
  answer: McpResult,
  { ui }: McpDefinition,
  { images }: Pick<ToolContext, 'images'>,
): Promise<unknown> {
  const { result, pictures } = await keepPictures(answer, images)
  const shaped = shapeResult(result, ui !== null)
  if (pictures.length === 0) return shaped
  const isRecord = typeof shaped === 'object' && shaped !== null && !Array.isArray(shaped)
  return { ...(isRecord ? shaped : { result: shaped }), pictures }
}

/** Returns the next event. Notifies the server if the run is stopped or the time is over. */
async function nextOf(exchange: Exchange, signal: AbortSignal): Promise<Happened> {
  const stop = () => exchange.cancel(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await exchange.next()
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** @throws AppError `conflict` if the server's description of the tool has changed, `unavailable` if the tool was removed */
async function assertSame(deps: OwnToolDeps, { set_id, id, name, version }: StoredTool): Promise<void> {
  await followUnlessFresh(deps, set_id)
  const now = (await listToolsOf(deps.db, set_id)).find((tool) => tool.id === id)
  if (!now?.is_there) throw new AppError('unavailable', `The server no longer offers ${name}.`)
  if (now.version !== version)
    throw new AppError(
      'conflict',
      `The server has changed what ${name} does. Nothing was called: send another message, and you are asked for approval.`,
    )
}
