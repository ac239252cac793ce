import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStream } from '../support/event-stream.ts'
import { type ModelServer, says, startModelServer } from '../support/model-server.ts'
import { type Product, startProduct } from '../support/product.ts'
import { aPerson, finishedReply, type Person } from './person.ts'
import { readPlan } from './random.ts'

const pieces = Array.from({ length: 200 }, (_, i) => `piece${i} `)
const readersAtOnce = 10
const plan = readPlan(10)

let model: ModelServer
let product: Product
let person: Person

beforeAll(async () => {
  model = await startModelServer({ tokensPerSecond: 100 })
  model.always([says(...pieces)])
  product = await startProduct({ env: { ATRIUM_COMPATIBLE_URL: model.url } })
  person = await aPerson(() => product.url)
})
afterAll(async () => {
  await product.stop()
  await model.close()
})

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('readers of a streamed reply', () => {
  const rounds = Math.ceil(plan.count / readersAtOnce)
  it(`receive the same text, however they connect, leave and return (${plan.count} moments, ten concurrent) [SE-19, ST-30]`, {
    timeout: rounds * 20_000 + 30_000,
  }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const session = await person.newSession()
      await person.send(session, 'Count')
      const texts = await Promise.all(Array.from({ length: readersAtOnce }, () => readBroken(session)))
      const stored = await finishedReply(person, session)
      expect(stored.content).toBe(pieces.join(''))
      expect(texts).toEqual(texts.map(() => stored.content))
    }
  })
})

/** Connects at a random moment, is cut off at another, returns in one of four ways, and reads to the end. */
async function readBroken(session: string): Promise<string | undefined> {
  const [arrival, cut, pause, way] = [
    plan.random() * 1500,
    plan.random() * 600,
    plan.random() * 400,
    Math.floor(plan.random() * 4),
  ]
  await sleep(arrival)
  const url = `${product.url}/api/v1/sessions/${session}/task-stream`
  const lost = await openStream(url, { headers: person.headers })
  await sleep(cut)
  lost.leave()
  await sleep(pause)
  // Its own last id, or a very old one.
  const id = way === 2 ? lost.lastId() : way === 3 ? '999' : null
  const back = await openStream(way === 1 ? `${url}?include_chunks=true` : url, {
    headers: { ...person.headers, ...(id ? { 'last-event-id': id } : {}) },
  })
  await back.ended
  return back.view()?.content
}
