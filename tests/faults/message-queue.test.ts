import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '../../src/shared/runs/runs/message.ts'
import { type Account, accountAt, signUp } from '../support/account.ts'
import { openStream } from '../support/event-stream.ts'
import {
  calls,
  type ModelRequest,
  type ModelServer,
  type Move,
  says,
  startModelServer,
} from '../support/model-server.ts'
import { type Product, startProduct } from '../support/product.ts'
import { readPlan } from './random.ts'

const plan = readPlan(4)
/** Time in which the messages below are sent and answered without a kill, in milliseconds. */
const SPAN_MS = 2500
/** Allows for loaded machines. */
const RESTART_MS = 60_000

let model: ModelServer
let product: Product
let ada: Account
const dataDir = mkdtempSync(join(tmpdir(), 'atrium-queue-'))
const start = () => {
  const env = { ATRIUM_COMPATIBLE_URL: model.url, ATRIUM_COMPATIBLE_NAME: 'house' }
  return startProduct({ env, dataDir, entry: 'src/server/main.ts' })
}
beforeAll(async () => {
  model = await startModelServer({ tokensPerSecond: 30 })
  model.always(answer)
  product = await start()
  ada = await signUp(product.url)
})
afterAll(async () => {
  await product.stop()
  await model.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Text of a call that takes a second, so that the run does not reach its limit of calls during a restart. */
const slowly = Array.from({ length: 30 }, (_, at) => `word${at} `)

/** Works with a tool until it was steered; then it answers. Other questions get an echo. */
function answer({ messages }: ModelRequest): Move[] {
  const question = String(messages.findLast(({ role }) => role === 'user')?.content)
  if (question.includes('Work')) {
    const isLong = messages.filter(({ role }) => role === 'tool').length > 60
    if (isLong) return [says('Never steered.')]
    return [says(...slowly), calls('calculator', { a: 1, b: 1, operation: 'add' })]
  }
  if (question.includes('Enough')) return [says('Steered ', 'and ', 'done.')]
  const [, word] = /(First|Second|Third)/.exec(question) ?? []
  return [says('to ', word ?? question)]
}

/** Calls the API until it answers, as a browser that repeats what it does not know to be stored. */
async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const deadline = Date.now() + RESTART_MS
  for (;;) {
    try {
      return await accountAt(product.url, ada.token).call<Answer>(method, path, body)
    } catch (error) {
      if (
        Date.now() > deadline ||
        (error instanceof Error && / answered 4/.test(error.message) && !/401/.test(error.message))
      )
        throw error
      await sleep(50)
    }
  }
}

const branch = async (id: string) =>
  (await call<{ active_branch: Message[] }>('GET', `/sessions/${id}/active-branch`)).active_branch
const queue = (id: string, content: string, way: string) =>
  call('POST', `/sessions/${id}/queue`, { content, way, client_id: content }).catch((error) => {
    // Its first attempt was stored and sent.
    if (!String(error).includes('sent already')) throw error
  })

describe('kill -9 while messages wait', () => {
  it(`loses none of them and sends none twice, whenever it happens (${plan.count} kills) [SB-04, SB-06]`, {
    timeout: plan.count * 60_000 + 60_000,
  }, async () => {
    for (let i = 0; i < plan.count; i += 1) {
      const moment = Math.round(plan.random() * SPAN_MS)
      const { id } = await call<{ id: string }>('POST', '/sessions', {})
      const stream = await openStream(`${product.url}/api/v1/sessions/${id}/messages`, {
        ...{ method: 'POST', headers: { authorization: `Bearer ${ada.token}` }, body: { content: 'Work' } },
      })
      await stream.until('agent_processing_started')
      const killed = sleep(moment).then(async () => {
        await product.kill()
        product = await start()
      })
      await queue(id, 'Second', 'queue')
      await queue(id, 'Third', 'queue')
      const listed = await call<{ items: { id: string; content: string }[] }>('GET', `/sessions/${id}/queue`)
      const third = listed.items.find(({ content }) => content === 'Third')
      await call('PUT', `/sessions/${id}/queue/${third?.id}`, { after_id: null })
      await queue(id, 'Fourth', 'queue')
      const { items: all } = await call<typeof listed>('GET', `/sessions/${id}/queue`)
      const idOf = (text: string) => all.find(({ content }) => content === text)?.id
      await call('PUT', `/sessions/${id}/queue/${idOf('Second')}`, { content: 'Second edited' })
      await call('DELETE', `/sessions/${id}/queue/${idOf('Fourth')}`).catch((error) => {
        // Its first attempt withdrew it.
        if (!String(error).includes('404')) throw error
      })
      await sleep(SPAN_MS / 3)
      await queue(id, 'Enough', 'steer')
      await killed
      const what = `killed after ${moment} ms`
      await expect
        .poll(
          async () =>
            (await branch(id))
              .slice(1)
              .filter(({ role }) => role === 'user')
              .map(({ content }) => content),
          {
            timeout: RESTART_MS,
          },
        )
        .toEqual(['Third', 'Second edited'])
      await expect
        .poll(async () => (await branch(id)).at(-1)?.content, { timeout: RESTART_MS })
        .toBe('to Second')
      const messages = await branch(id)
      expect(messages, what).toHaveLength(6)
      const [, reply, , third_] = messages
      expect(reply?.content.endsWith('Steered and done.'), what).toBe(true)
      expect(
        reply?.blocks.flatMap((block) => (block.type === 'steering' ? [block.text] : [])),
        what,
      ).toEqual(['Enough'])
      expect(third_?.content, what).toBe('to Third')
      stream.leave()
    }
  })
})
