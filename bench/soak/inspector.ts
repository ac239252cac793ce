import { setTimeout as sleep } from 'node:timers/promises'
import type { Product } from '../../tests/support/product.ts'

/** State of a process after a full collection: megabytes, open handles, and timer delays since the last check. */
export type Inside = {
  heap_mb: number
  external_mb: number
  handles: number
  resources: Record<string, number>
  delay_p99_ms: number
  delay_max_ms: number
}

export type Inspector = { look: () => Promise<Inside>; close: () => void }

const START = `globalThis.soakDelay = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: 10 });
  soakDelay.enable()`
const LOOK = `JSON.stringify((() => {
  const { heapUsed, external } = process.memoryUsage()
  const list = process.getActiveResourcesInfo()
  const resources = {}
  for (const name of list) resources[name] = (resources[name] ?? 0) + 1
  const { max } = soakDelay
  const p99 = soakDelay.percentile(99)
  soakDelay.reset()
  return { heap_mb: heapUsed / 2 ** 20, external_mb: external / 2 ** 20, handles: process._getActiveHandles().length,
    resources, delay_p99_ms: p99 / 1e6, delay_max_ms: max / 1e6 }
})())`

/** Connects to the debugger of a product started with \`--inspect\`. */
export async function inspect(product: Product): Promise<Inspector> {
  const socket = new WebSocket(await addressOf(product))
  const waiting = new Map<number, (answer: { result?: { value?: unknown } }) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error('the debugger does not answer')), { once: true })
  })
  let asked = 0
  const ask = (method: string, params: object = {}) => {
    asked += 1
    const answer = new Promise<{ result?: { value?: unknown } }>((resolve) => waiting.set(asked, resolve))
    socket.send(JSON.stringify({ id: asked, method, params }))
    return answer
  }
  await ask('Runtime.evaluate', { expression: START })
  return {
    look: async () => {
      const evaluate = () => ask('Runtime.evaluate', { expression: LOOK, returnByValue: true })
      // Read first, because the collection itself blocks the loop.
      const { delay_p99_ms, delay_max_ms } = readInside(await evaluate())
      for (let round = 0; round < 3; round += 1) {
        await ask('HeapProfiler.collectGarbage')
        await sleep(100)
      }
      return { ...readInside(await evaluate()), delay_p99_ms, delay_max_ms }
    },
    close: () => socket.close(),
  }
}

function readInside({ result }: { result?: { value?: unknown } }): Inside {
  return JSON.parse(String(result?.value))
}

async function addressOf(product: Product): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const found = /ws:\/\/[\w.:/-]+/.exec(product.output())?.[0]
    if (found) return found
    await sleep(50)
  }
  throw new Error('the product was started without a debugger')
}
