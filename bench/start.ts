import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Product, startProduct } from '../tests/support/product.ts'
import { memoryMb, processTree } from './measure/processes.ts'
import { median, round } from './measure/statistics.ts'
import { below } from './measure/targets.ts'

/**
 * Measures the time from the start command to a healthy answer: with an empty data folder, after a clean stop, and after
 * kill -9; then the memory of all idle processes. Build the web first.
 *
 * --rounds 5 --idle-seconds 60 --idle-rounds 3
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      'idle-seconds': { type: 'string', default: '60' },
      'idle-rounds': { type: 'string', default: '3' },
    },
  })
  const fresh: number[] = []
  const warm: number[] = []
  const killed: number[] = []
  for (let round = 0; round < Number(values.rounds); round += 1) {
    await withDataDir(async (dataDir) => {
      fresh.push(await timeStart(dataDir, 'stop'))
      warm.push(await timeStart(dataDir, 'kill'))
      killed.push(await timeStart(dataDir, 'stop'))
    })
  }
  const idle: number[] = []
  for (let round = 0; round < Number(values['idle-rounds']); round += 1) {
    await withDataDir(
      async (dataDir) => void idle.push(await measureIdle(dataDir, Number(values['idle-seconds']))),
    )
  }
  return {
    fresh_ms: fresh,
    warm_ms: warm,
    after_kill_ms: killed,
    idle_mb: idle,
    targets: [
      below('start with an empty data folder', round(median(fresh) / 1000, 2), 3, 's'),
      below('start after a clean stop', round(median(warm) / 1000, 2), 1, 's'),
      below('start after kill -9', round(median(killed) / 1000, 2), 2, 's'),
      below('idle memory of all processes (PSS)', round(median(idle), 0), 250, 'MB'),
    ],
  }
}

async function withDataDir(work: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-start-'))
  await work(dataDir)
  rmSync(dataDir, { recursive: true, force: true })
}

/** Returns the milliseconds from the command to the first 200 of the health call. */
async function timeStart(dataDir: string, end: 'stop' | 'kill'): Promise<number> {
  const started = performance.now()
  const product = await startProduct({ dataDir })
  await waitUntilHealthy(product)
  const ms = Math.round(performance.now() - started)
  await product[end]()
  return ms
}

async function waitUntilHealthy({ url }: Product): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/api/v1/health`).catch(() => null)
    if (answer?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function measureIdle(dataDir: string, seconds: number): Promise<number> {
  const product = await startProduct({ dataDir })
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  const used = memoryMb(processTree(product.process.pid ?? 0).map((one) => one.pid))
  await product.stop()
  return round(used ?? 0, 1)
}
