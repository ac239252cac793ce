import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { route } from '#shared/platform/http.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import type { Feature } from '../../../feature.ts'
import { connect } from '../../../platform/db/db.ts'
import { serve } from '../../../platform/http/serve.ts'
import { createLog } from '../../../platform/log.ts'
import { createFindCaller, hashSecret } from './access-token-store.ts'

const minute = 60_000
const day = 86_400_000

/** Routes that return the caller: an event stream by GET and by POST, and a plain one. */
const probe: Feature = (server) => {
  const answer = z.object({ username: z.string() })
  for (const method of ['GET', 'POST'] as const) {
    const stream = route({ method, path: '/probe/stream', access: 'user', summary: 'Stream', kind: 'stream' })
    serve(server, stream, {
      handle: async ({ user, reply }) => {
        reply.send({ username: user.username })
        return undefined
      },
    })
  }
  const plain = route({ method: 'GET', path: '/probe/plain', access: 'user', summary: 'Plain', answer })
  serve(server, plain, { handle: async ({ user }) => ({ username: user.username }) })
}

let app: TestApp
let now = new Date('2026-03-01T12:00:00Z')
beforeAll(async () => {
  app = await startApp({ clock: { now: () => now }, features: [probe] })
})
afterAll(() => app.close())

/** Returns the caller's name, or the status of a refusal. */
async function ask(url: string, headers: Record<string, string> = {}, method: 'GET' | 'POST' = 'GET') {
  const response = await app.http.inject({ method, url: `/api/v1/probe/${url}`, headers })
  return response.statusCode === 200 ? response.json().username : response.statusCode
}
const atTime = (ms: number) => {
  now = new Date(now.getTime() + ms)
}
const lastUse = async (userId: string) => {
  const query = app.deps.db.selectFrom('access_tokens').select('last_used_at').where('user_id', '=', userId)
  return (await query.executeTakeFirstOrThrow()).last_used_at
}

describe('the lifetime of a token', () => {
  it('ends 30 days after the last use [AU-29, SV-01]', async () => {
    const { username, headers } = await aUser(app)
    atTime(29 * day)
    expect(await ask('plain', headers)).toBe(username)
    atTime(29 * day)
    expect(await ask('plain', headers)).toBe(username)
    atTime(30 * day)
    expect(await ask('plain', headers)).toBe(401)
  })

  it('ends 90 days after issue, whatever its use [AU-29, SV-01]', async () => {
    const { username, headers } = await aUser(app)
    for (let week = 0; week < 12; week += 1) {
      atTime(7 * day)
      expect(await ask('plain', headers)).toBe(username)
    }
    atTime(6 * day - minute)
    expect(await ask('plain', headers)).toBe(username)
    atTime(2 * minute)
    expect(await ask('plain', headers)).toBe(401)
  })

  it('is extended at most once a minute [AU-28, AU-29]', async () => {
    const { id, headers } = await aUser(app)
    const given = await lastUse(id)
    atTime(minute / 2)
    await ask('plain', headers)
    expect(await lastUse(id)).toEqual(given)
    atTime(minute)
    await ask('plain', headers)
    expect(await lastUse(id)).toEqual(now)
  })

  it('is checked by a query that each connection plans once [AU-29]', async () => {
    const { db, close } = connect(app.address, createLog('silent'), { max: 1 })
    try {
      const { token, username } = await aUser(app)
      const findCaller = createFindCaller({ ...app.deps, db })
      const visit = { userAgent: null, address: '127.0.0.1' }
      for (let n = 0; n < 3; n += 1)
        expect(await findCaller(hashSecret(token), visit)).toMatchObject({ username })
      expect(await findCaller(hashSecret('unknown'), visit)).toBeNull()
      const { rows } = await sql`select name, (generic_plans + custom_plans)::int as uses
        from pg_prepared_statements`.execute(db)
      expect(rows).toEqual([{ name: 'find_caller_0', uses: 4 }])
    } finally {
      await close()
    }
  })

  it('ends for tokens issued before a beta closes', async () => {
    const closed = await startApp({
      address: app.address,
      config: { ATRIUM_BETA: 'on' },
      features: [probe],
      clock: { now: () => now },
    })
    try {
      const status = async (headers: Record<string, string>) =>
        (await closed.http.inject({ url: '/api/v1/probe/plain', headers })).statusCode
      expect(await status((await aUser(app)).headers)).toBe(401)
      expect(await status((await aUser(app, { beta: true })).headers)).toBe(200)
      expect(await status((await aUser(app, { role: 'super_admin' })).headers)).toBe(200)
    } finally {
      await closed.close()
    }
  })
})

describe('token sources', () => {
  it('on a stream are bearer, sse_auth_token, token and query, in this order [AU-31, ST-29, G-21]', async () => {
    const [one, two, three, four] = [await aUser(app), await aUser(app), await aUser(app), await aUser(app)]
    const cookie = `sse_auth_token=${two.token}; token=${three.token}`
    const query = `stream?token=${four.token}`
    expect(await ask(query, { cookie, ...one.headers })).toBe(one.username)
    expect(await ask(query, { cookie })).toBe(two.username)
    expect(await ask(query, { cookie: `token=${three.token}` })).toBe(three.username)
    expect(await ask(query)).toBe(four.username)
  })

  it('skip a stale cookie of an earlier sign-in [AU-31]', async () => {
    const { token, username } = await aUser(app)
    expect(await ask('stream', { cookie: `sse_auth_token=old; token=${token}` })).toBe(username)
    expect(await ask('stream', { cookie: `sse_auth_token=${token}`, authorization: 'Bearer old' })).toBe(401)
  })

  it('exclude cookies and queries on plain calls and posted streams [AU-31, G-21]', async () => {
    const { token } = await aUser(app)
    const cookie = `sse_auth_token=${token}; token=${token}`
    expect(await ask('plain', { cookie })).toBe(401)
    expect(await ask(`plain?token=${token}`)).toBe(401)
    expect(await ask('stream', { cookie }, 'POST')).toBe(401)
    expect(await ask(`stream?token=${token}`, {}, 'POST')).toBe(401)
  })

  it('exclude the embed token parameter, even with an access token in it [AU-29]', async () => {
    const { token } = await aUser(app)
    expect(await ask(`stream?authToken=${token}`)).toBe(401)
    expect(await ask(`plain?authToken=${token}`)).toBe(401)
  })

  it.each(['', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz', 'Bearer a b', `Bearer ${'x'.repeat(5000)}`])(
    'reject %j as a bearer token [AU-29]',
    async (authorization) => {
      expect(await ask('plain', { authorization })).toBe(401)
    },
  )
})
