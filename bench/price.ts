import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { intervalOf, type PastRun } from '../src/server/chat/run-prices/interval.ts'
import { statePrice } from '../src/server/chat/run-prices/run-prices.ts'
import { startPostgres } from '../src/server/platform/db/db.ts'
import { createLog } from '../src/server/platform/log.ts'
import { startApp, type TestApp } from '../tests/support/app.ts'
import { createChance, worlds } from '../tests/support/priced-runs.ts'
import { median, round } from './measure/statistics.ts'
import { atLeast, below } from './measure/targets.ts'

const SEEDS = 50
const HISTORY = 40
const ROWS = 1_000_000
const LOOKS = 200

/**
 * Measures how many of 100 price estimates hold in each usage pattern of assistants, and how long an estimate takes with a
 * long history.
 *
 * npm run bench -- price [rows]
 */
export async function run([rows = String(ROWS)]: string[]): Promise<object> {
  const uses = Object.entries(worlds).map(([use, world]) => ({ use, ...stateMany(world) }))
  const milliseconds = await timeStating(Number(rows))
  return {
    uses,
    milliseconds,
    targets: [
      ...uses.map(({ use, held }) => atLeast(`held of 100: ${use}`, held, 90, '')),
      below(`stating one beside ${rows} replies, p95`, milliseconds.p95, 20, 'ms'),
    ],
  }
}

/** Returns the mean and the worst of several hundreds, and the width of the median interval. */
function stateMany(world: (typeof worlds)[string]) {
  const widths: number[] = []
  const held = Array.from({ length: SEEDS }, (_, seed) => {
    const chance = createChance(seed + 1)
    const past: PastRun[] = Array.from({ length: HISTORY }, () => world(chance, 0))
    let inside = 0
    for (let at = 0; at < 100; at++) {
      const run = world(chance, at)
      const { low = 0, high = 0 } = intervalOf(past, run.known) ?? {}
      if (low <= run.paid && run.paid <= high) inside += 1
      widths.push(high / low)
      past.unshift(run)
    }
    return inside
  })
  const mean = held.reduce((sum, count) => sum + count, 0) / SEEDS
  return { held: round(mean), worst: Math.min(...held), width: round(median(widths)) }
}

async function timeStating(rows: number): Promise<{ p50: number; p95: number }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-price-'))
  const postgres = await startPostgres({ dataDir, log: createLog('warn') })
  const app = await startApp({ address: postgres.address })
  try {
    await fill(app, rows)
    const plan = {
      ...{ agent_type: 'multi_turn' as const, model_name: 'house/large', context_tokens: 128_000 },
      ...{ instructions: null, tools: [] },
    }
    const times: number[] = []
    for (let look = 0; look < LOOKS; look++) {
      const assistant = { id: `assistant ${look % 50}`, name: '' }
      const begun = performance.now()
      await statePrice(app.deps.db, { ...plan, assistant }, { reading: 3e-6, after: null, bytes: 4_000 })
      times.push(performance.now() - begun)
    }
    times.sort((one, other) => one - other)
    return { p50: round(median(times)), p95: round(times[Math.floor(times.length * 0.95)] ?? Infinity) }
  } finally {
    await app.close()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Inserts finished replies of 50 assistants and a few models; their runs do not matter here. */
async function fill({ deps: { db } }: TestApp, rows: number): Promise<void> {
  await sql`alter table run_prices drop constraint run_prices_run_id_fkey`.execute(db)
  await sql`
    insert into run_prices (run_id, assistant_id, agent_type, model_name, known, paid, low, high, runs, finished_at)
    select gen_random_uuid(), 'assistant ' || at % 53, 'multi_turn', (array['house/large', 'house/small', 'house/other'])[1 + at % 3],
      0.01, 0.01 + random(), 0.02, 0.9, 200, now() - make_interval(secs => at)
    from generate_series(1, ${rows}::int) at`.execute(db)
  await sql`vacuum analyze run_prices`.execute(db)
}
