import * as z from 'zod'
import { findOrphans, listHolders, markTurned } from '../attempts-store.ts'
import { endRun } from '../context/live-run.ts'
import type { Engine } from '../engine.ts'
import { resumeRun, resumeRuns } from '../hold.ts'
import { takeAnswers } from '../rest/answers.ts'
import { expireRequests } from '../rest/give-answer.ts'
import { hearPause } from '../rest/pause.ts'
import { endStopped } from '../rest/stop.ts'
import { watchUnpaid } from '../rest/unpaid.ts'
import { isSuspect, type Losses } from './losses.ts'
import { countInstances, findAsked, runChannel } from './watch-store.ts'

/** Sweep interval for runs without a live owner, in milliseconds. */
const SWEEP_MS = 1_000
/** Poll interval for requests to own runs when no notification arrives, in milliseconds. */
const LOOK_MS = 250
/** Maximum runs resumed per sweep and process, so that orphaned runs spread over all processes. */
const CLAIMS_PER_SWEEP = 20

const Asked = z.object({ run: z.string() })

/** Watches runs for the lifetime of the process. Returns the function that stops it. Without `works` it only releases and ends runs. */
export function watchRuns(engine: Engine): () => void {
  const { instance, log } = engine.deps
  const report = (error: unknown) => log.warn({ error }, 'Runs could not be looked after.')
  instance.onLost(() => {
    for (const run of engine.live.values()) endRun(run, 'lost')
  })
  if (!engine.works) return () => undefined
  instance.onDied(async (otherId) => {
    await sweep(engine, otherId).catch(report)
  })
  instance
    .listen(runChannel, (payload) => {
      const asked = Asked.safeParse(JSON.parse(payload))
      if (asked.success) lookAt(engine, asked.data.run).catch(report)
    })
    .catch(report)
  // Resumes runs of an earlier process immediately.
  void sweep(engine).catch(report)
  const sweeping = repeat(SWEEP_MS, () => sweep(engine).catch(report))
  const looking = repeat(LOOK_MS, () => look(engine).catch(report))
  const leaveUnpaid = watchUnpaid(engine)
  return () => {
    leaveUnpaid()
    clearInterval(sweeping)
    clearInterval(looking)
  }
}

/** Checks a run that another process sent a notification for. */
async function lookAt(engine: Engine, runId: string): Promise<void> {
  if (engine.live.has(runId)) await look(engine)
  else await resumeRun(engine, runId, ['queued'])
}

/** Repeats `work` without overlap. */
function repeat(ms: number, work: () => Promise<void>): NodeJS.Timeout {
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    void work().finally(() => {
      isBusy = false
    })
  }, ms)
  timer.unref()
  return timer
}

/** Checks whether owned runs are still owned, and whether a stop or pause was requested. */
async function look(engine: Engine): Promise<void> {
  if (engine.live.size === 0) return
  const held = [...engine.live.values()]
  await markTurned(engine.deps.db, engine.deps.instance.id, held)
  const ids = held.map(({ id }) => id)
  const rows = await findAsked(engine.deps.db, ids)
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const run of held) {
    const row = byId.get(run.id)
    if (!row || row.epoch !== run.holder.epoch) endRun(run, 'lost')
    else if (row.stop_requested) endRun(run, 'stop')
    else if (row.pause_requested) hearPause(engine, run)
    if (run.asks.length > 0) await takeAnswers(engine, run)
  }
}

/** Resumes runs without a live owner: released ones, those of dead processes, and own released ones. */
async function sweep(engine: Engine, deadId?: string): Promise<void> {
  if (engine.isDraining) return
  const { db } = engine.deps
  await expireRequests(engine)
  engine.hasPeers = (await countInstances(db)) > 1
  const except = [...engine.live.keys(), ...engine.claiming]
  const owners = await findGone(engine, deadId)
  for (const orphan of await findOrphans(db, { owners, except, limit: CLAIMS_PER_SWEEP })) {
    if (isHeldUp(engine, orphan)) break
    await resumeRuns(engine, [orphan.id], ['queued', 'running'])
  }
  await endStopped(engine)
}

/** Returns run owners that are dead. This process knows its own runs. */
async function findGone({ deps: { db, instance } }: Engine, deadId?: string): Promise<string[]> {
  const gone: string[] = []
  for (const owner of await listHolders(db)) {
    const isGone = owner === instance.id || owner === deadId || !(await instance.isAlive(owner))
    if (isGone) gone.push(owner)
  }
  return gone
}

/** Returns whether a suspect run must wait until this process is idle, so that a crash affects no other run. */
function isHeldUp({ live }: Engine, orphan: Losses): boolean {
  const unseen = [...live.values()].filter(({ hasTurned }) => !hasTurned)
  return isSuspect(orphan) ? unseen.length > 0 : unseen.some(({ losses }) => isSuspect(losses))
}
