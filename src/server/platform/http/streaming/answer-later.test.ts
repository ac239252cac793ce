import { once } from 'node:events'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { answerLater } from './answer-later.ts'
import { boundStreams } from './open-streams.ts'

let http: FastifyInstance
let url: string
beforeEach(async () => {
  http = fastify()
  http.decorateRequest('countedAs', 'a caller')
  boundStreams(http, { ATRIUM_LIMIT_STREAMS_PER_USER: 2, ATRIUM_LIMIT_STREAM_BACKLOG_MB: 1 })
  let isGone: (value: boolean) => void
  const told = new Promise<boolean>((resolve) => {
    isGone = resolve
  })
  http.get('/late', async (request, reply) => {
    await once(reply.raw, 'close')
    answerLater(request, reply, async (gone) => {
      isGone(gone.aborted)
      return { status: 200, answer: {} }
    })
  })
  http.get('/told', () => told)
  http.get('/now', async (request, reply) =>
    answerLater(request, reply, async () => ({ status: 202, answer: { done: true } })),
  )
  url = await http.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => http.close())

it('answers with the status and the value of the work', async () => {
  const answer = await fetch(`${url}/now`)
  expect([answer.status, await answer.json()]).toEqual([202, { done: true }])
})

it('tells the work of a caller who disconnected before it began', async () => {
  const control = new AbortController()
  const asked = fetch(`${url}/late`, { signal: control.signal }).catch(() => null)
  setTimeout(() => control.abort(), 100)
  await asked
  expect(await (await fetch(`${url}/told`)).json()).toBe(true)
})
