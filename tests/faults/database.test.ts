import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ModelServer, says, startModelServer } from '../support/model-server.ts'
import { type Product, startProduct } from '../support/product.ts'
import { aPerson, finishedReply, type Person } from './person.ts'

const pieces = Array.from({ length: 500 }, (_, i) => `piece${i} `)
const callers = 12
const kills = 3

let model: ModelServer
let product: Product
let person: Person

beforeAll(async () => {
  model = await startModelServer({ tokensPerSecond: 80 })
  model.always([says(...pieces)])
  product = await startProduct({ entry: 'src/server/main.ts', env: { ATRIUM_COMPATIBLE_URL: model.url } })
  person = await aPerson(() => product.url)
})
afterAll(async () => {
  await product.stop()
  await model.close()
})

const postmaster = () =>
  Number(readFileSync(join(product.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

describe('a database that is killed under load', { timeout: 300_000 }, () => {
  it('is back by itself: callers are told to come again, no acknowledged change is lost, runs go on', async () => {
    const talks = await Promise.all([1, 2, 3].map(() => person.newSession()))
    await Promise.all(talks.map((id) => person.send(id, 'Count')))
    const session = await person.newSession()
    const answers = new Map<string, number>()
    const acknowledged: string[] = []
    let isOver = false
    const count = (line: string) => answers.set(line, (answers.get(line) ?? 0) + 1)
    const rename = async (caller: number) => {
      for (let i = 0; !isOver; i += 1) {
        const title = `${caller}-${i}`
        const path =
          caller % 3 === 0 ? `/sessions/${session}/rename` : caller % 3 === 1 ? '/users/me' : '/health'
        const answer = await fetch(`${product.url}/api/v1${path}`, {
          method: caller % 3 === 0 ? 'PUT' : 'GET',
          headers: { ...person.headers, 'content-type': 'application/json' },
          ...(caller % 3 === 0 ? { body: JSON.stringify({ title }) } : {}),
          signal: AbortSignal.timeout(20_000),
        }).catch((error) => error as Error)
        if (answer instanceof Error) {
          count(`failed: ${answer.message}`)
          continue
        }
        const { code } = (await answer.json()) as { code?: string }
        count(answer.ok ? 'fine' : `${answer.status} ${code} ${answer.headers.get('retry-after')}`)
        if (answer.ok && caller % 3 === 0) acknowledged.push(title)
        if (!answer.ok) await sleep(20)
      }
    }
    const load = Array.from({ length: callers }, (_, caller) => rename(caller))
    const outages: number[] = []
    for (let i = 0; i < kills; i += 1) {
      await sleep(1_000)
      const killed = Date.now()
      process.kill(postmaster(), 'SIGKILL')
      await sleep(50)
      while ((await fetch(`${product.url}/api/v1/health`)).status !== 200) await sleep(20)
      outages.push(Date.now() - killed)
    }
    await sleep(500)
    isOver = true
    await Promise.all(load)
    console.log(`faults: the database was away for ${outages.join(', ')} ms; ${JSON.stringify([...answers])}`)
    expect(Math.max(...outages)).toBeLessThan(30_000)
    expect([...answers.keys()].filter((line) => line !== 'fine')).toEqual(['503 unavailable 2'])
    expect(product.process.exitCode).toBeNull()

    const title = await fetch(`${product.url}/api/v1/sessions/${session}`, { headers: person.headers })
    const { title: kept } = (await title.json()) as { title: string }
    expect(acknowledged.slice(-callers)).toContain(kept)
    for (const id of talks) {
      const reply = await finishedReply(person, id, 120_000)
      expect([reply.status, reply.content]).toEqual(['completed', pieces.join('')])
    }
  })
})
