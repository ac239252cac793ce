import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createModels } from '../src/server/models/models/models.ts'
import { openPlatform } from '../src/server/open-platform.ts'
import { parseConfig } from '../src/server/platform/config/config.ts'
import { startPostgres } from '../src/server/platform/db/db.ts'
import { createLog } from '../src/server/platform/log.ts'
import type { Platform } from '../src/server/platform/platform.ts'
import type { LiveRun } from '../src/server/runs/runs/context/live-run.ts'
import type { RunContext } from '../src/server/runs/runs/context/run-context.ts'
import type { Engine } from '../src/server/runs/runs/engine.ts'
import { startFork } from '../src/server/runs/runs/fork.ts'
import { drainRuns } from '../src/server/runs/runs/hold.ts'
import type { TestApp } from '../tests/support/app.ts'
import { anEngine, aRun, atRest } from '../tests/support/runs.ts'
import { median, round } from './measure/statistics.ts'
import { atMost, below } from './measure/targets.ts'

const STEPS = [50, 100, 200]
const TEXT = 'Something that a step found out and that is kept with it. '.repeat(20)

/** Measures checkpoints in a run of 200 steps on a durable database: write time, rows and bytes, and returns. */
export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
  const log = createLog('error')
  const postgres = await startPostgres({ dataDir: folder, log })
  const config = parseConfig({ ATRIUM_DATA_DIR: folder })
  const platform = await openPlatform({ config, address: postgres.address, log, models: createModels })
  try {
    const runs = []
    for (const steps of STEPS) runs.push(await measureRun(platform.deps, steps))
    const [short, long] = [runs[0], runs.at(-1)]
    const growth = short && long ? long.bytes_per_step / short.bytes_per_step : null
    return {
      runs,
      targets: [
        below('checkpoint of a 200-step run, p95', long?.checkpoint_ms.p95 ?? null, 20, 'ms'),
        atMost('rows per step', long?.rows_per_step ?? null, 2.1, ''),
        atMost('bytes per step, 200 steps beside 50', growth && round(growth, 3), 1.05, 'times'),
      ],
    }
  } finally {
    await platform.close()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureRun(deps: Platform, steps: number) {
  const app = { deps } as TestApp
  const times: number[] = []
  const engine = anEngine(app, (run) => work(run, steps, times))
  const live = await aRun(app, engine)
  await atRest(engine, live.id)
  const { rows, bytes } = await sizeOf(deps, live.id)
  const return_ms = round(await measureReturn(engine, live, steps), 1)
  await drainRuns(engine)
  const sorted = times.toSorted((a, b) => a - b)
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN
  return {
    steps,
    checkpoint_ms: { median: round(median(times), 2), p95: round(p95, 2), max: round(sorted.at(-1) ?? 0, 2) },
    ...{ rows, bytes, rows_per_step: round(rows / steps, 2), bytes_per_step: round(bytes / steps) },
    return_ms,
  }
}

async function work(run: RunContext, steps: number, times: number[]): Promise<void> {
  for (let at = 0; at < steps; at++) {
    await run.step(`work:${at}`, async (leaf) => leaf.emit({ event: 'response_chunk', content: TEXT }))
    const started = performance.now()
    await run.checkpoint(`after_step${at}`)
    times.push(performance.now() - started)
  }
}

async function sizeOf({ db }: Platform, runId: string): Promise<{ rows: number; bytes: number }> {
  const records = await db.selectFrom('run_records').select('value').where('run_id', '=', runId).execute()
  return {
    rows: records.length,
    bytes: records.reduce((sum, { value }) => sum + JSON.stringify(value).length, 0),
  }
}

/** Measures the time from a return request to the last checkpoint until the new run starts to work. */
async function measureReturn(engine: Engine, live: LiveRun, steps: number): Promise<number> {
  const name = `after_step${steps - 1}`
  const place = { runId: live.id, position: 2 * steps, id: `${live.id}:${name}`, name }
  const started = performance.now()
  const fork = await startFork(engine, live.sessionId, { place, messageId: live.input.message_id })
  const took = performance.now() - started
  await atRest(engine, fork.id)
  return took
}
