import { AsyncLocalStorage } from 'node:async_hooks'
import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { RunEventBody } from '#shared/runs/runs/events.ts'
import type { ToolContext } from '#shared/tools/tools/tool.ts'
import { readToolError, toolError } from '#shared/tools/tools/tool-errors.ts'
import { createCorpusPort } from '../../knowledge/corpus/corpus.ts'
import { createDocumentPort, type RagDeps } from '../../knowledge/rag/rag.ts'
import { createWebPort } from '../../knowledge/web-search/web-search.ts'
import { ModelError } from '../../models/models/port.ts'
import { isUnpaid } from '../../money/billing/billing.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Leaf, type RunContext, type StepOptions, UnknownOutcome } from '../../runs/runs/runs.ts'
import { createActionPort, NotDone } from '../actions/actions.ts'
import { createCodePort } from '../code/code.ts'
import { createDatabasePort } from '../databases/databases.ts'
import { createImagePort } from '../images/images.ts'
import { createPagePort } from '../pictures/pictures.ts'
import { assertNotWithheld } from '../withholding/withholding.ts'
import { describeCall, type ToolCall, type ToolOutcome } from './call.ts'
import { keepInput } from './inputs.ts'
import type { LoadedTool, Tools } from './load-tools.ts'
import { createModelPort } from './model-port.ts'
import { readSettings } from './settings.ts'

/** Dependencies for running tools. */
export type ToolKit = RagDeps &
  Pick<Platform, 'grants' | 'secrets' | 'outbound' | 'files' | 'sandbox' | 'parsing' | 'telemetry'> & {
    tools: Tools
  }

/** The error for the person and the model if an interrupted call is not repeated. */
export const SKIPPED = toolError('skipped')

type Say = (data: Record<string, unknown>) => RunEventBody
type Job = {
  kit: ToolKit
  run: RunContext
  tool: LoadedTool
  call: ToolCall
  input: unknown
  say: Say
  decides: StepOptions['decides']
  /** An action outside only looks for what an earlier attempt did. */
  isResumed?: true
}

/** Runs a tool that is a single step: all its work happens inside `leaf`. */
export function workAtOnce(job: Job, leaf: Leaf): Promise<ToolOutcome> {
  const notDurable = () => Promise.reject(new Error(`${job.tool.contract.id} is not declared durable.`))
  const timer = startTimer(job.tool.contract.limitSeconds)
  leaf.emit(job.say({ status: 'processing', ...keepInput(job.call.execution_id, job.input) }))
  const emit = (body: RunEventBody) => leaf.emit(body)
  return attempt(job, timer, { emit, step: notDurable, ask: notDurable, leaf: () => leaf })
}

/**
 * Finds out what an interrupted action outside did: its outcome; `not_done` when it can be done now, `unknown` when only a person can tell.
 */
export async function settleAction(job: Job): Promise<ToolOutcome | 'not_done' | 'unknown'> {
  const notDurable = () => Promise.reject(new Error(`${job.tool.contract.id} is not declared durable.`))
  const timer = startTimer(job.tool.contract.limitSeconds)
  const ways = { emit: () => undefined, step: notDurable, ask: notDurable, leaf: () => null }
  try {
    const outcome = await perform({ ...job, isResumed: true }, timer, ways)
    return outcome.ok ? outcome : 'unknown'
  } catch (error) {
    if (error instanceof NotDone) return 'not_done'
    if (error instanceof UnknownOutcome) return 'unknown'
    throw error
  }
}

/** The outcome of a durable tool, and its events after its last step. */
type Worked = { outcome: ToolOutcome; unsaid: RunEventBody[] }

/** Runs a durable tool in its own steps, inside the scope of its call. */
export async function workInSteps(job: Job, scope: RunContext): Promise<Worked> {
  const { call } = job
  const { contract } = job.tool
  const timer = startTimer(contract.limitSeconds)
  const inside = new AsyncLocalStorage<Leaf>()
  // Events between two steps are sent with the next one.
  const waiting: RunEventBody[] = [
    job.say({ status: 'processing', ...keepInput(job.call.execution_id, job.input) }),
  ]
  const emit = (body: RunEventBody) => {
    const leaf = inside.getStore()
    if (leaf) leaf.emit(body)
    else waiting.push(body)
  }
  const outcome = await attempt(job, timer, {
    emit,
    leaf: () => inside.getStore() ?? null,
    step: (key, work, { repeatable = true } = {}) => {
      // Events before a recorded step are in its record.
      if (scope.isDone(key)) waiting.length = 0
      const leafWork = async (leaf: Leaf) => {
        for (const body of waiting.splice(0)) leaf.emit(body)
        const value = await inside.run(leaf, work).catch((error) => {
          // The run is paused here, so the tool's time limit is too.
          if (isUnpaid(error)) timer.pause()
          throw error
        })
        assertFits(`The result of the step “${key}” of ${contract.name}`, value, mostOf(job.kit))
        return value
      }
      const skipped = () => Promise.reject(new AppError('conflict', SKIPPED))
      const options = { repeatable, tool: describeCall(contract, call), decides: job.decides, skipped }
      return scope.step(key, leafWork, options)
    },
    ask: async (name, question) => {
      timer.pause()
      const { input: _, ...tool } = describeCall(contract, call)
      const answer = await scope.ask(name, { ...question, tool })
      timer.resume()
      return answer
    },
    // Only a step can pause the run.
  }).catch((error) => scope.step('#unpaid', () => Promise.reject(error)))
  return { outcome, unsaid: waiting }
}

type Ways = Pick<ToolContext, 'step' | 'ask'> & {
  emit: (body: RunEventBody) => void
  /** The current step. */
  leaf: () => Leaf | null
}

/** Never throws for a tool's errors; throws if the run ends, or pauses because of an empty balance. */
function attempt(job: Job, timer: Timer, ways: Ways): Promise<ToolOutcome> {
  // Tools made by people have names of their own, which must not appear here.
  const name = job.tool.made?.kind ?? job.tool.contract.id
  return job.kit.telemetry.observe(
    { kind: 'tool_call', name, labels: { tool: name } },
    () => perform(job, timer, ways),
    ({ ok }) => (ok ? 'ok' : 'failed'),
  )
}

async function perform(job: Job, timer: Timer, { emit, step, ask, leaf }: Ways): Promise<ToolOutcome> {
  const { kit, run, tool, call, input, say, isResumed = false } = job
  const { contract } = tool
  const signal = AbortSignal.any([run.signal, timer.signal])
  const settings = readSettings(kit.config, contract)
  const most = mostOf(kit)
  const said = createRoom(most)
  const trusted = Object.values(settings).filter((value) => /^https?:/.test(value))
  const paying = () => withTool(leaf(), contract.id)
  const context: ToolContext = {
    ...{ executionId: call.execution_id, signal, language: run.input.language, settings, step, ask },
    phase: (phase, status, data) => {
      if (said.has(phase, status, data)) emit(say({ phase, status, ...(data ? { data } : {}) }))
    },
    partial: (content) => {
      if (said.has(content))
        emit({ event: 'tool_partial_update', tool_execution_id: call.execution_id, content })
    },
    partialImage: (partial_image_index, url) => {
      const tool_execution_id = call.execution_id
      if (said.has(url)) emit({ event: 'tool_partial_update', tool_execution_id, url, partial_image_index })
    },
    documents: createDocumentPort(kit, run, signal, paying),
    corpus: createCorpusPort(kit, run, signal, paying),
    web: createWebPort(kit, run, signal, paying),
    model: createModelPort(kit, run, signal, paying),
    code: createCodePort(kit, run, signal),
    databases: createDatabasePort(kit, run, signal),
    pages: createPagePort(kit, run, signal),
    images: createImagePort(kit, run, call.execution_id, signal, paying),
    actions: createActionPort(kit, run, { executionId: call.execution_id, isResumed, signal }),
    fetch: (url, request) => kit.outbound.fetch(url, { ...request, signal, trusted }),
  }
  try {
    if (tool.made?.account) await assertNotWithheld(kit.db, run.input, 'services')
    const work = await kit.tools.loadRun(tool)
    const output = await Promise.race([work(input, context), rejectOn(signal)])
    const result = z.core.parse(contract.output, output)
    assertFits(`The result of ${contract.name}`, result, most)
    return { ok: true, result }
  } catch (error) {
    run.signal.throwIfAborted()
    if (isUnpaid(error) || error instanceof UnknownOutcome || error instanceof NotDone) throw error
    // The service may still be doing it.
    if (timer.signal.aborted && contract.draft) throw new UnknownOutcome()
    if (timer.signal.aborted)
      return {
        ok: false,
        error: toolError('slow', { tool: contract.name, seconds: String(contract.limitSeconds) }),
      }
    if (error instanceof AppError) return { ok: false, error: shorten(sentenceOf(error, contract.name)) }
    if (error instanceof ModelError) return { ok: false, error: shorten(error.message) }
    kit.log.error({ error, tool: contract.id }, 'A tool failed.')
    return { ok: false, error: toolError('unexpected', { tool: contract.name }) }
  } finally {
    timer.pause()
  }
}

/** Returns why a tool failed. A tool's own message cannot claim that an account is not connected, which would ask its person to sign in. */
function sentenceOf({ code, detail }: AppError, name: string): string {
  const isForged = code !== 'not_connected' && readToolError(detail)?.code === 'not_connected'
  return isForged ? `${name}: ${detail}` : detail
}

/** Returns a tool's current step, whose bills name the tool. */
function withTool(leaf: Leaf | null, tool_id: string): Leaf | null {
  return leaf && { ...leaf, bill: (bill) => leaf.bill({ ...bill, tool_id }) }
}

/** Maximum events of a tool while it runs; further ones are not shown. */
const MAX_EVENTS = 5_000

/** Limits the text of a tool's events: as many characters in total as its result may have. */
function createRoom(most: number) {
  let left = most
  let sayings = MAX_EVENTS
  return {
    has: (...said: unknown[]): boolean => {
      left -= JSON.stringify(said).length
      sayings -= 1
      return left >= 0 && sayings >= 0
    },
  }
}

/** Maximum characters of a tool's result, of one step's result, and of all its events. */
const mostOf = ({ config }: ToolKit) => config.ATRIUM_LIMIT_RESULT_KB * 1024

/**
 * A text that is too long is an error, because truncating it would change its meaning and break the contract.
 * @throws AppError `too_large`
 */
function assertFits(what: string, value: unknown, most: number): void {
  if ((JSON.stringify(value)?.length ?? 0) <= most) return
  const limit = `${Math.round(most / 1024)} kB`
  throw new AppError('too_large', `${what} is longer than ${limit}. Ask for less at a time.`)
}

/** Maximum characters of a tool's error, which the message holds in full. */
const MAX_REASON_CHARACTERS = 2_000

function shorten(reason: string): string {
  return reason.length <= MAX_REASON_CHARACTERS
    ? reason
    : `${reason.slice(0, MAX_REASON_CHARACTERS).toWellFormed()}…`
}

type Timer = { signal: AbortSignal; pause: () => void; resume: () => void }

/** Counts the working seconds of a tool. */
function startTimer(seconds: number): Timer {
  const over = new AbortController()
  let left = seconds * 1000
  let startedAt = performance.now()
  const end = () => over.abort(new Error("The tool's time limit is exceeded."))
  let timer: NodeJS.Timeout | null = setTimeout(end, left)
  return {
    signal: over.signal,
    pause: () => {
      if (!timer) return
      clearTimeout(timer)
      timer = null
      left -= performance.now() - startedAt
    },
    resume: () => {
      if (timer) return
      startedAt = performance.now()
      timer = setTimeout(end, Math.max(0, left))
    },
  }
}

/** A tool that ignores its signal is abandoned. */
function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
