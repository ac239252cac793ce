import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openStream } from '../support/event-stream.ts'
import {
  calls,
  type ModelRequest,
  type ModelServer,
  says,
  startModelServer,
} from '../support/model-server.ts'
import { descendants, isRunning } from '../support/processes.ts'
import { type Product, startProduct } from '../support/product.ts'
import { essenceOf } from './essence.ts'
import { aPerson, finishedReply, type Person } from './person.ts'
import { readPlan } from './random.ts'

const first = Array.from({ length: 40 }, (_, i) => `before${i} `)
const last = Array.from({ length: 80 }, (_, i) => `after${i} `)
const dataDir = mkdtempSync(join(tmpdir(), 'atrium-kill-'))
const plan = readPlan(3)

let model: ModelServer
let product: Product
let person: Person
const start = () =>
  startProduct({ dataDir, env: { ATRIUM_COMPATIBLE_URL: model.url, ATRIUM_COMPATIBLE_NAME: 'house' } })

beforeAll(async () => {
  model = await startModelServer({ tokensPerSecond: 120 })
  model.always((request) =>
    hasToolResult(request)
      ? [says(...last)]
      : [says(...first), calls('calculator', { a: 21, b: 2, operation: 'multiply' })],
  )
  product = await start()
  person = await aPerson(() => product.url)
})
afterAll(async () => {
  await product.stop()
  await model.close()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('kill -9 of the server', () => {
  it(`does not change a reply with a tool call, whenever it happens (${plan.count} moments) [R-13]`, {
    timeout: plan.count * 30_000 + 60_000,
  }, async () => {
    const calm = await person.newSession()
    const started = performance.now()
    await person.send(calm, 'Work it out')
    const expected = essenceOf(await finishedReply(person, calm))
    const duration = performance.now() - started
    // Text before and after a tool forms separate paragraphs.
    expect(expected.content).toBe(`${first.join('')}\n\n${last.join('')}`)

    const recoveries: number[] = []
    for (let i = 0; i < plan.count; i += 1) {
      const session = await person.newSession()
      const before = model.requests.length
      await person.send(session, 'Work it out')
      const moment = plan.random() * duration
      await sleep(moment)
      await product.kill()
      product = await start()
      const restarted = performance.now()
      const readers = readAtRandom(session, duration)
      const reply = await finishedReply(person, session)
      for (const text of await readers)
        expect(text, `killed after ${Math.round(moment)} ms`).toBe(expected.content)
      recoveries.push(Math.round(performance.now() - restarted))
      expect(essenceOf(reply), `killed after ${Math.round(moment)} ms`).toEqual(expected)
      // Two calls of an undisturbed run, and at most one repeat of the call in progress.
      expect(model.requests.length - before).toBeLessThanOrEqual(3)
    }
    console.log(
      `faults: finished ${recoveries.join(', ')} ms after the restart; an undisturbed reply takes ${Math.round(duration)} ms`,
    )
  })

  it('leaves no process behind after ten seconds', { timeout: 60_000 }, async () => {
    const family = descendants(product.process.pid ?? 0)
    expect(family.length).toBeGreaterThan(1)
    await product.kill()
    await vi.waitFor(() => expect(family.filter(isRunning)).toEqual([]), { timeout: 10_000, interval: 100 })
    product = await start()
  })
})

/** Starts readers that reconnect during the rest of the reply, with an id from before the restart or none. */
function readAtRandom(session: string, duration: number): Promise<(string | undefined)[]> {
  const url = `${product.url}/api/v1/sessions/${session}/task-stream`
  const comeBack = async (lastId?: string) => {
    await sleep(plan.random() * duration)
    const stream = await openStream(url, {
      headers: { ...person.headers, ...(lastId ? { 'last-event-id': lastId } : {}) },
    })
    await stream.ended
    return stream.view()?.content
  }
  return Promise.all([comeBack(), comeBack('999'), comeBack('999')])
}

function hasToolResult(request: ModelRequest): boolean {
  return request.messages.at(-1)?.role === 'tool'
}
