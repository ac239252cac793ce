import type { Kysely } from 'kysely'
import type { Block } from '#shared/runs/runs/blocks.ts'
import type { RunEvent, RunEventBody } from '#shared/runs/runs/events.ts'
import { appendEvent } from '#shared/runs/runs/merge.ts'
import type { AskedTool } from '#shared/runs/runs/request.ts'
import { stepOf } from '#shared/runs/runs/steps.ts'
import { isUnpaid, type Reservations } from '../../../money/billing/billing.ts'
import { type Database, toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { ask, busy, whenIdle } from './ask.ts'
import { bookUsage, type PricedBill } from './bills.ts'
import { commitCheckpoint, restUnpaid } from './checkpoint.ts'
import { commit, endRun, insideStep, type LiveRun, stamp, takeKey } from './live-run.ts'
import { createPurse } from './purse.ts'
import type {
  Bill,
  ChildOutcome,
  ChildRequest,
  Leaf,
  Question,
  RunContext,
  StepOptions,
} from './run-context.ts'
import { UnknownOutcome } from './unknown-outcome.ts'

/** Dependencies of the run context. */
export type ContextDeps = {
  db: Database
  now: () => Date
  /** Prices the usage of a step. */
  price: (bills: ReadonlyMap<string, Bill[]>) => Promise<PricedBill[]>
  reservations: Reservations
  child: (run: LiveRun, key: string, request: ChildRequest) => Promise<ChildOutcome>
}

/** Thrown when the user chose not to repeat an interrupted step that has no substitute result. */
export class SkippedStepError extends Error {
  constructor() {
    super('The interrupted call was skipped.')
    this.name = 'SkippedStepError'
  }
}

/** Creates the context on which an agent is replayed. `prefix` is that of its scope. */
export function createContext(deps: ContextDeps, run: LiveRun, prefix = ''): RunContext {
  return {
    id: run.id,
    input: run.input,
    signal: run.abort.signal,
    step: (key, work, options) => step(deps, run, prefix + key, work, options),
    isDone: (key) => run.records.has(`step:${prefix}${key}`),
    isAsked: (name) => ['ask', 'answer'].some((kind) => run.records.has(`${kind}:${prefix}${name}`)),
    doneSteps: () => [...run.records.values()].filter(({ kind }) => kind === 'step'),
    look: (name, read) => busy(run, `look:${prefix}${name}`, read),
    scope: (key, work) => {
      takeKey(run, `scope:${prefix}${key}`)
      return work(createContext(deps, run, `${prefix}${key}/`))
    },
    ask: (name, question) => ask(run, prefix + name, question, position(deps, run)),
    checkpoint: (name, kind = 'checkpoint') => checkpoint(deps, run, prefix + name, kind),
    child: (key, request) => deps.child(run, prefix + key, request),
  }
}

async function step<T>(
  deps: ContextDeps,
  run: LiveRun,
  key: string,
  work: (leaf: Leaf) => Promise<T>,
  options: StepOptions<T> = {},
): Promise<T> {
  takeKey(run, `step:${key}`)
  const done = run.records.get(`step:${key}`)
  if (done) return done.value as T
  for (;;) {
    await holdWhenEnding(run)
    const body = options.repeatable === false ? await bodyOnce(deps, run, key, work, options) : work
    try {
      return await busy(run, key, () => runLeaf(deps, run, key, body))
    } catch (error) {
      // Its start is recorded, so the next turn settles it or asks.
      if (error instanceof UnknownOutcome && options.repeatable === false) continue
      if (!isUnpaid(error)) throw error
      await busy(run, `unpaid:${key}`, () => restUnpaid(deps, run, key, error))
      return new Promise<never>(() => whenIdle(run))
    }
  }
}

/** Returns the work of a step that must not run twice: the work itself, what an earlier start did, or the result of skipping it. */
async function bodyOnce<T>(
  deps: ContextDeps,
  run: LiveRun,
  key: string,
  work: (leaf: Leaf) => Promise<T>,
  options: StepOptions<T>,
): Promise<(leaf: Leaf) => Promise<T>> {
  const start = await announceStart(deps, run, key, options)
  if (start === 'started') return work
  if (typeof start === 'function') return start
  if (!options.skipped) throw new SkippedStepError()
  return options.skipped
}

/** Blocks forever when the run is being released: the next owner continues from here. */
export async function holdWhenEnding(run: LiveRun): Promise<void> {
  if (run.ending === 'release' || run.ending === 'lost') await new Promise(() => undefined)
  run.abort.signal.throwIfAborted()
}

async function runLeaf<T>(
  deps: ContextDeps,
  run: LiveRun,
  key: string,
  work: (leaf: Leaf) => Promise<T>,
): Promise<T> {
  const early: RunEvent[] = []
  const late: RunEvent[] = []
  const writes: ((trx: Kysely<Tables>) => Promise<void>)[] = []
  const bills: Bill[] = []
  const purse = createPurse(deps, run)
  run.openBills.set(key, bills)
  const leaf: Leaf = {
    key,
    attempt: run.attempt,
    signal: run.abort.signal,
    lostText: run.lostTexts.get(key) ?? null,
    emit: (body) => {
      if (run.ending === 'lost') return
      const event = stamp(run, key, withoutNul(body))
      appendEvent(early, event)
      run.publisher.emit(event)
    },
    hasText: () => run.publisher.view.content !== '',
    textSoFar: () => newestText(run.publisher.view.blocks, stepOf({ step_key: key })),
    afterwards: (body) => late.push(stamp(run, key, withoutNul(body))),
    together: (write) => writes.push(write),
    reserve: purse.reserve,
    giveBack: purse.giveBack,
    decisions: () => decisionsOf(run, key),
    decide: (value) => commit(deps.db, run, { ...nextDecision(run, key), value, events: [] }),
    bill: (bill) => bills.push(bill),
  }
  return purse.whileOpen(async () => {
    // A live value must equal a replayed one: no dates, no undefined, no lone surrogates.
    const value = JSON.parse(toJson((await insideStep.run(key, () => work(leaf))) ?? null)) as T
    run.publisher.flush()
    const events = [...early, ...late]
    const priced = await deps.price(new Map([[key, bills]]))
    // Last, because other runs of the user wait for the lock on the balance.
    if (priced.length > 0) writes.push(purse.settle, (trx) => bookUsage(trx, run, priced))
    await commit(deps.db, run, { kind: 'step', key, value, events }, writes)
    run.openBills.delete(key)
    for (const event of late) run.publisher.emit(event)
    return value
  })
}

/** Returns a writer of decisions. A decision is a new start of its step and counts only together with it. */
function nextDecision(run: LiveRun, key: string) {
  return { kind: 'started' as const, key: `${key}#${decisionsOf(run, key).length + 1}` }
}

function decisionsOf(run: LiveRun, key: string): unknown[] {
  const found: unknown[] = []
  for (;;) {
    const record = run.records.get(`started:${key}#${found.length + 1}`)
    if (!record) return found
    found.push(record.value)
  }
}

function newestText(blocks: readonly Block[], step: number | null): string {
  const newest = blocks.findLast((block) => block.type === 'text' && (block.step ?? null) === step)
  return newest?.type === 'text' ? newest.text : ''
}

/** Removes NUL characters: PostgreSQL rejects them, and stored events must equal sent ones. */
function withoutNul(body: RunEventBody): RunEventBody {
  if ('content' in body && body.content?.includes('\0')) {
    return { ...body, content: body.content.replaceAll('\0', '') } as RunEventBody
  }
  return body
}

/** Starts of a step that are settled without a person. */
const MAX_SETTLED_STARTS = 5

/**
 * Commits the start of a step that must not run twice. When a replay finds it started but not done, `settle` finds out what it did. When
 * it cannot, only a person knows the outside state: they choose to run it again, to skip it, or to stop. A named approver decides about
 * their calls.
 */
async function announceStart<T>(
  deps: ContextDeps,
  run: LiveRun,
  key: string,
  { tool, decides, settle }: Pick<StepOptions<T>, 'tool' | 'decides' | 'settle'>,
): Promise<'started' | 'skipped' | ((leaf: Leaf) => Promise<T>)> {
  for (let tries = 1; ; tries++) {
    const tryKey = `${key}#${tries}`
    if (!run.records.has(`started:${tryKey}`)) {
      const record = { kind: 'started' as const, key: tryKey, value: null, events: [] }
      await busy(run, tryKey, () => commit(deps.db, run, record))
      return 'started'
    }
    if (run.records.has(`started:${key}#${tries + 1}`)) continue
    const isAsked = ['ask', 'answer'].some((kind) => run.records.has(`${kind}:interrupted:${tryKey}`))
    if (settle && !isAsked && tries <= MAX_SETTLED_STARTS) {
      const settled = await busy(run, `settle:${tryKey}`, settle)
      if (settled === 'not_done') continue
      if (settled !== 'unknown') return settled
    }
    if (decides === 'nobody') return 'skipped'
    const question = interruptedQuestion(tool, decides)
    const { input } = await ask(run, `interrupted:${tryKey}`, question, position(deps, run))
    if (input === 'skip') return 'skipped'
    if (input === 'stop') {
      endRun(run, 'stop')
      run.abort.signal.throwIfAborted()
    }
  }
}

type Decides = Exclude<StepOptions['decides'], 'nobody'>

function interruptedQuestion(tool: AskedTool | undefined, decides: Decides): Question {
  return {
    kind: 'interrupted',
    prompt: `${tool ? `“${tool.tool_name}”` : 'This call'} had started when the server stopped. Its result is not known. Run it again?`,
    input_types: ['text'],
    ...(tool && { tool }),
    ...(decides && { ...decides, default: { input: 'skip', input_type: 'text' } }),
  }
}

function position(deps: ContextDeps, run: LiveRun) {
  return (name: string, kind: string) => checkpoint(deps, run, name, kind)
}

async function checkpoint(deps: ContextDeps, run: LiveRun, name: string, kind: string): Promise<void> {
  takeKey(run, `checkpoint:${name}`)
  if (run.records.has(`checkpoint:${name}`)) return
  await holdWhenEnding(run)
  await busy(run, `checkpoint:${name}`, () => commitCheckpoint(deps, run, { key: name, name, kind }))
  // After the last checkpoint there is nothing left to pause before.
  if (!run.pauseRequested || kind === 'completed') return
  run.pausedAt = { name, reason: 'request' }
  await new Promise(() => whenIdle(run))
}
