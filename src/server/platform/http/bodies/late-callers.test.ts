import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser } from '#tests/builders.ts'

let app: TestApp
let url: URL
beforeAll(async () => {
  app = await startApp()
  url = new URL(await app.listen())
})
afterAll(() => app.close())

/** Sends the head of a request and a part of its body. The rest follows with `finish`, which returns the answer. */
async function beginRequest(request: string, bearer: string, body: object) {
  const socket = connect(Number(url.port), url.hostname)
  const bytes = Buffer.from(JSON.stringify(body))
  const head = [
    ...[`${request} HTTP/1.1`, `host: ${url.host}`, `authorization: Bearer ${bearer}`, 'connection: close'],
    ...['content-type: application/json', 'accept: application/json, text/event-stream'],
    `content-length: ${bytes.length}`,
  ]
  let said = ''
  socket.on('data', (chunk) => (said += chunk.toString())).on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(bytes.subarray(0, 5))
  // Longer than the time after which a caller is admitted again.
  await sleep(400)
  expect(said).toBe('')
  return {
    finish: async () => {
      socket.write(bytes.subarray(5))
      await closed
      return Number(/^HTTP\/1\.1 (\d+) /.exec(said)?.[1])
    },
  }
}

const keysOf = (userId: string) =>
  app.deps.db.selectFrom('access_keys').select('name').where('user_id', '=', userId).execute()

describe('a caller whose body arrives late', () => {
  const wish = { name: 'Late', scopes: ['chat'], days: 30 }

  it('creates an API key while signed in', async () => {
    const user = await aUser(app)
    const request = await beginRequest('POST /api/v1/users/me/api-keys', user.token, wish)
    expect(await request.finish()).toBe(201)
  })

  it('creates none once the sign-in has ended', async () => {
    const chief = await aUser(app, { role: 'super_admin' })
    const user = await aUser(app)
    const request = await beginRequest('POST /api/v1/users/me/api-keys', user.token, wish)
    const path = `/api/v1/admin/users/${user.id}/sign-out`
    expect((await fetch(new URL(path, url), { method: 'POST', headers: chief.headers })).status).toBe(204)
    expect(await request.finish()).toBe(401)
    expect(await keysOf(user.id)).toEqual([])
  })

  it('cannot do what a role allowed that they lost', async () => {
    const companyId = await aCompany(app)
    const admin = await aUser(app, { role: 'company_admin', companyId })
    const request = await beginRequest(`PATCH /api/v1/admin/companies/${companyId}`, admin.token, {
      name: 'Renamed late',
    })
    await app.deps.db
      .updateTable('company_members')
      .set({ role: 'member' })
      .where('user_id', '=', admin.id)
      .execute()
    expect(await request.finish()).toBe(403)
  })

  it.each(['POST /v1/chat/completions', 'POST /mcp'])('cannot call %s with a revoked key', async (path) => {
    const user = await aUser(app)
    const key = await anApiKey(app, { id: user.id })
    const bearer = key.headers.authorization.replace('Bearer ', '')
    const request = await beginRequest(path, bearer, { jsonrpc: '2.0', id: 1, method: 'ping' })
    await app.deps.db
      .updateTable('access_keys')
      .set({ revoked_at: new Date() })
      .where('user_id', '=', user.id)
      .execute()
    expect(await request.finish()).toBe(401)
  })

  it('cannot create a person with a revoked directory token', async () => {
    const companyId = await aCompany(app)
    const admin = await aUser(app, { role: 'company_admin', companyId })
    const path = new URL(`/api/v1/admin/companies/${companyId}/directory`, url)
    const made = await fetch(path, { method: 'POST', headers: admin.headers })
    const { token } = (await made.json()) as { token: string }
    const person = { userName: 'late@orsane.eu', emails: [{ value: 'late@orsane.eu', primary: true }] }
    const request = await beginRequest('POST /scim/v2/Users', token, person)
    expect((await fetch(path, { method: 'DELETE', headers: admin.headers })).ok).toBe(true)
    expect(await request.finish()).toBe(401)
  })
})
