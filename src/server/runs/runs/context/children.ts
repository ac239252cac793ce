import { AppError } from '#shared/platform/errors.ts'
import { foldEvents } from '#shared/runs/runs/reduce/reduce.ts'
import { absorbSources, sending } from '../../../platform/access/classes/classes.ts'
import type { Engine } from '../engine.ts'
import { executionId } from '../execution-id.ts'
import type { Holder } from '../journal/journal-record.ts'
import { appendRecord, loadRecords } from '../journal/journal-store.ts'
import { describeFailure } from '../reply.ts'
import { emptyView } from '../start.ts'
import { findVersion } from './agent-versions.ts'
import { busy } from './ask.ts'
import { bookAbsorbed, type PricedBill } from './bills.ts'
import { type ChildPublisher, createChildPublisher, endEvents } from './child-publisher.ts'
import type { Trx } from './child-store.ts'
import { assertHeld, settleChild, upsertChild } from './child-store.ts'
import { type ContextDeps, createContext, holdWhenEnding } from './create-context.ts'
import { commit, endRun, inTurn, type LiveRun, remember, sendingOf, takeKey } from './live-run.ts'
import type { ChildOutcome, ChildRequest, RunInput } from './run-context.ts'

/** Whole replies of models that are compared are read in the parent's message. */
const isCompared = ({ input }: LiveRun) => input.compared !== undefined

type Child = LiveRun & { publisher: ChildPublisher }

/**
 * Runs an agent as a sub-run with its own row and journal. It always has the same owner as its parent: a process that
 * resumes the parent reaches this call again and finds the child by its id, derived from the parent's id and the key.
 * Questions, pauses and endings belong to the parent.
 */
export async function runChild(
  engine: Engine,
  deps: ContextDeps,
  parent: LiveRun,
  key: string,
  request: ChildRequest,
): Promise<ChildOutcome> {
  if (parent.input.task !== undefined || parent.input.is_alternative)
    throw new Error('A sub-run starts no sub-runs.')
  takeKey(parent, `step:${key}`)
  const done = parent.records.get(`step:${key}`)
  if (done) return done.value as ChildOutcome
  await holdWhenEnding(parent)
  const child = await busy(parent, `child:${key}`, () => attachChild(engine, parent, key, request))
  const outcome = await runToItsEnd(engine, deps, parent, child, `${key}.`)
  await busy(parent, key, () =>
    endChild(engine, deps, parent, child, { key, outcome, number: request.number }),
  )
  return outcome
}

async function runToItsEnd(
  engine: Engine,
  deps: ContextDeps,
  parent: LiveRun,
  child: Child,
  prefix: string,
): Promise<ChildOutcome> {
  try {
    const work = findVersion(engine.agents[child.input.agent_type], child.agentVersion)
    if (!work) throw new AppError('not_available', 'This part was started by another version of the server.')
    await sending(sendingOf(engine.deps, child), () => work(createContext(deps, child, prefix)))
    parent.abort.signal.throwIfAborted()
    return { state: 'completed', text: child.publisher.view.content.trim() }
  } catch (error) {
    // An error that ends the parent is not a failure of the child.
    if (parent.ending !== null) throw error
    return { state: 'failed', text: describeFailure(error, engine.deps.log).detail }
  } finally {
    child.publisher.close()
  }
}

/** Finds or creates the child, with the owner of the parent. */
async function attachChild(
  engine: Engine,
  parent: LiveRun,
  key: string,
  { number, input: own }: ChildRequest,
): Promise<Child> {
  const { assistants: _others, compared: _models, ...inherited } = parent.input
  const tool_choice = 'is_alternative' in own ? inherited.tool_choice : null
  const input: RunInput = { ...inherited, tool_choice, ...own }
  const holder: Holder = { ...parent.holder, runId: executionId(parent.id, `child\n${key}`) }
  const version = engine.agents[input.agent_type]?.version ?? 0
  const found = await inTurn(parent, () =>
    engine.deps.db.transaction().execute(async (trx) => {
      await assertHeld(trx, parent.holder)
      const agentVersion = await upsertChild(trx, parent, holder, input, version)
      const records = await loadRecords(trx, holder.runId)
      if (records.length > 0) return { agentVersion, records }
      await appendRecord(trx, holder, { ...first(input), attempt: parent.attempt })
      return { agentVersion, records: [{ ...first(input), epoch: holder.epoch }] }
    }),
  ).catch((error) => {
    endRun(parent, 'lost')
    throw error
  })
  const frozen = found.records[0]?.value as RunInput
  const events = found.records.flatMap((record) => record.events)
  const view = foldEvents(emptyView(holder, frozen), events) ?? emptyView(holder, frozen)
  const publisher = createChildPublisher(parent, { number, view, isWhole: isCompared(parent) })
  const child = createChild(parent, {
    number,
    holder,
    input: frozen,
    agentVersion: found.agentVersion,
    publisher,
  })
  for (const record of found.records) remember(child, record)
  // Events shown by the previous owner are void until the parent has recorded the child's end.
  publisher.showAgain(events)
  return child
}

const first = (input: RunInput) => ({
  ...{ position: 0, kind: 'input' as const, key: 'input', value: input, events: [] },
})

type Parts = Pick<Child, 'holder' | 'input' | 'agentVersion' | 'publisher'> & { number: number }

/** Creates the child's live run. Stopping, parking or releasing the parent does the same to the child. */
function createChild(parent: LiveRun, { number, holder, input, agentVersion, publisher }: Parts): Child {
  const answers = [...parent.records].filter(([, { kind }]) => kind === 'answer')
  return {
    ...{ id: holder.runId, sessionId: parent.sessionId, holder, input, agentVersion, publisher },
    ...{ rootId: parent.id, attempt: parent.attempt, userMessage: parent.userMessage },
    lostTexts: lostTextsOf(parent, number),
    // Answers are records of the parent; their keys start with the child's prefix.
    ...{ records: new Map(answers), nextPosition: 0, used: new Set(), turn: Promise.resolve() },
    ...{ abort: parent.abort, steps: parent.steps, asks: parent.asks, openBills: parent.openBills },
    onLeft: parent.onLeft,
    get ending() {
      return parent.ending
    },
    set ending(ending) {
      parent.ending = ending
    },
    get pauseRequested() {
      return parent.pauseRequested
    },
    get pausedAt() {
      return parent.pausedAt
    },
    set pausedAt(at) {
      parent.pausedAt = at && { ...at, name: lastCheckpoint(parent) }
    },
    get onIdle() {
      return parent.onIdle
    },
  } as Child
}

/** Returns the uncommitted text that lost attempts of the parent sent for this child, by the child's own keys. */
function lostTextsOf({ lostTexts }: LiveRun, number: number): ReadonlyMap<string, string> {
  const prefix = `step${number}/`
  const own = [...lostTexts].filter(([key]) => key.startsWith(prefix))
  return new Map(own.map(([key, text]) => [key.slice(prefix.length), text]))
}

/** Returns the parent's last checkpoint: users can only return to positions of the parent. */
function lastCheckpoint(parent: LiveRun): string {
  const last = [...parent.records.values()].findLast(({ kind }) => kind === 'checkpoint')
  return last?.key ?? 'llm_checkpoint'
}

type End = { key: string; outcome: ChildOutcome; number: number }

/** Commits the end of the child together with its result in the parent. */
async function endChild(
  { deps: { clock } }: Engine,
  deps: ContextDeps,
  parent: LiveRun,
  child: Child,
  { key, outcome, number }: End,
): Promise<void> {
  const ends = endEvents(parent, number, outcome, clock.now().toISOString(), isCompared(parent))
  const open = await takeOpenBills(deps, parent, `${key}.`)
  const finish = async (trx: Trx) => {
    const end = { position: child.nextPosition, kind: 'end' as const, key: 'end', attempt: parent.attempt }
    await appendRecord(trx, child.holder, { ...end, value: outcome, events: [] })
    await bookAbsorbed(trx, child, open)
    await settleChild(trx, child.id, outcome, clock.now())
    // The others that answer the same message are not read by the parent.
    const absorbed = { from: child.id, to: parent.id, position: parent.nextPosition }
    if (!child.input.is_alternative) await absorbSources(trx, absorbed)
  }
  const record = { kind: 'step' as const, key, value: outcome, events: [...child.publisher.shown, ...ends] }
  await commit(deps.db, parent, record, [finish])
  for (const event of ends) parent.publisher.emit(event)
}

/** Removes the child's usage without a result from the parent's open bills. */
async function takeOpenBills(deps: ContextDeps, parent: LiveRun, prefix: string): Promise<PricedBill[]> {
  const own = [...parent.openBills].filter(([key]) => key.startsWith(prefix))
  for (const [key] of own) parent.openBills.delete(key)
  return deps.price(new Map(own))
}
