import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Restricts } from '#shared/identity/networks/networks.ts'
import { anApiKey } from '#tests/api-key.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { aNetwork } from '#tests/company-network.ts'
import { type OpenStream, openStream } from '#tests/event-stream.ts'
import { aVisitor } from '#tests/visit.ts'
import { hashSecret } from '../accounts/accounts.ts'
import { actorOf } from '../audit/audit.ts'
import { insertProgram, insertTokens } from '../programs/store.ts'

const DESK = '192.0.2.7'
const HOME = '203.0.113.9'
const PROXY = '10.0.0.2'

let app: TestApp
let house = ''
let member: TestUser
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_TRUST_PROXY: PROXY } })
})
afterAll(() => app.close())
beforeEach(async () => {
  house = await aCompany(app, 'Orsane')
  member = await aUser(app, { role: 'member', companyId: house })
})

const restrict = (restricts: Restricts, network = '192.0.2.0/24', companyId = house) =>
  aNetwork(app, companyId, { restricts, network })
type Headers = Record<string, string>
async function get(url: string, headers: Headers, remoteAddress: string) {
  const answer = await app.http.inject({ url, headers, remoteAddress })
  return { status: answer.statusCode, body: answer.json() }
}
const me = (headers: Headers, address: string) => get('/api/v1/users/me', headers, address)
const refused = { status: 403, body: { code: 'outside_networks' } }

describe('a request of a person whose company restricts signing in', () => {
  it('is answered in the networks and refused outside, until the person returns', async () => {
    expect((await me(member.headers, HOME)).status).toBe(200)
    await restrict('sign_in')
    const answer = await me(member.headers, HOME)
    expect(answer).toMatchObject(refused)
    expect(answer.body.detail).toContain(HOME)
    expect(answer.body.detail).toContain('Orsane')
    expect((await me(member.headers, DESK)).status).toBe(200)
    expect((await me(member.headers, `::ffff:${DESK}`)).status).toBe(200)
  })

  it('does not store the address outside as the last one of the sign-in', async () => {
    await restrict('sign_in')
    const { db } = app.deps
    const old = { last_used_at: new Date(Date.now() - 3_600_000) }
    await db.updateTable('access_tokens').set(old).where('user_id', '=', member.id).execute()
    await me(member.headers, HOME)
    const token = db.selectFrom('access_tokens').select('address').where('user_id', '=', member.id)
    expect(await token.executeTakeFirst()).toEqual({ address: null })
    await me(member.headers, DESK)
    expect(await token.executeTakeFirst()).toEqual({ address: DESK })
  })

  it.each([
    [`${DESK}:4711`, DESK],
    [`[::ffff:${DESK}]:4711`, DESK],
    ['fe80::1%eth0', 'fe80::1'],
  ])('from %s is counted, stored and audited as from %s', async (given, plain) => {
    await restrict('sign_in', plain)
    const headers = { ...member.headers, 'x-forwarded-for': given }
    const { db } = app.deps
    await db
      .updateTable('access_tokens')
      .set({ last_used_at: new Date(Date.now() - 3_600_000) })
      .where('user_id', '=', member.id)
      .execute()
    expect((await me(headers, PROXY)).status).toBe(200)
    const token = db.selectFrom('access_tokens').select('address').where('user_id', '=', member.id)
    expect(await token.executeTakeFirst()).toEqual({ address: plain })
    expect(actorOf({ id: member.id, username: 'ada', full_name: null }, { ip: given }).address).toBe(plain)
  })

  it('may come from IPv6 networks', async () => {
    await restrict('sign_in', '2001:db8:1::/48')
    expect((await me(member.headers, '2001:db8:1:2::9')).status).toBe(200)
    expect(await me(member.headers, '2001:db8:2::9')).toMatchObject(refused)
    expect(await me(member.headers, DESK)).toMatchObject(refused)
  })

  it('counts the address that a trusted proxy names, and no other header', async () => {
    await restrict('sign_in')
    const from = (address: string) => ({ ...member.headers, 'x-forwarded-for': address })
    expect((await me(from(DESK), PROXY)).status).toBe(200)
    expect(await me(from(HOME), PROXY)).toMatchObject(refused)
    expect(await me(from(`${DESK}, ${HOME}`), PROXY)).toMatchObject(refused)
    expect(await me(from(DESK), HOME)).toMatchObject(refused)
    expect(await me({ ...member.headers, 'x-real-ip': DESK, forwarded: `for=${DESK}` }, HOME)).toMatchObject(
      refused,
    )
  })

  it('must come from the networks of each of their companies', async () => {
    const second = await aCompany(app)
    await app.deps.db
      .insertInto('company_members')
      .values({ company_id: second, user_id: member.id, role: 'member' })
      .execute()
    await restrict('sign_in')
    await restrict('sign_in', '192.0.2.0/28', second)
    expect((await me(member.headers, DESK)).status).toBe(200)
    expect(await me(member.headers, '192.0.2.200')).toMatchObject(refused)
  })

  it('counts as not signed in on public pages', async () => {
    await restrict('sign_in')
    expect((await get('/api/v1/sign-in-options', member.headers, HOME)).status).toBe(200)
  })

  it('leaves people of other companies alone', async () => {
    await restrict('sign_in')
    const other = await aUser(app, { role: 'member' })
    expect((await me(other.headers, HOME)).status).toBe(200)
  })
})

describe('other ways in', () => {
  it.each(['/api/v1/documents', '/v1/models'])('are refused outside to API keys: %s', async (url) => {
    const { headers } = await anApiKey(app, member, { scopes: ['chat', 'documents.read'] })
    await restrict('sign_in')
    expect((await get(url, headers, DESK)).status).toBe(200)
    expect((await get(url, headers, HOME)).status).toBe(403)
    const key = { 'x-api-key': headers.authorization.slice('Bearer '.length) }
    const payload = { model: 'a', max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] }
    const call = { method: 'POST', url: '/v1/messages', headers: key, payload } as const
    const answer = await app.http.inject({ ...call, remoteAddress: HOME })
    expect(answer.statusCode).toBe(403)
    expect((await app.http.inject({ ...call, remoteAddress: DESK })).statusCode).not.toBe(403)
  })

  it('are refused outside to connected programs and keys of the MCP server', async () => {
    const token = 'atp_program-of-the-test'
    const { db } = app.deps
    const later = new Date(Date.now() + 3_600_000)
    const made = { user_id: member.id, name: 'Desk', scopes: ['chat' as const], hint: 'atp_' }
    const keyId = await insertProgram(db, { ...made, secret_hash: hashSecret('x') }, new Date(), later)
    const kept = { key_id: keyId, client_id: 'desk', kind: 'access' as const, token_hash: hashSecret(token) }
    await insertTokens(db, [{ ...kept, expires_at: later }])
    const key = await anApiKey(app, member)
    await restrict('sign_in')
    const ping = async (authorization: string, remoteAddress: string) => {
      const headers = { authorization, accept: 'application/json, text/event-stream' }
      const payload = { jsonrpc: '2.0', id: 1, method: 'ping' }
      const answer = await app.http.inject({ method: 'POST', url: '/mcp', headers, payload, remoteAddress })
      return answer.statusCode
    }
    for (const bearer of [`Bearer ${token}`, key.headers.authorization]) {
      expect(await ping(bearer, HOME)).toBe(403)
      expect(await ping(bearer, DESK)).toBe(200)
    }
  })

  it('are refused outside to cookies and queries of event streams', async () => {
    await restrict('sign_in')
    const stream = async (query: string, headers: Headers) =>
      (await app.http.inject({ url: `/api/v1/users/me/events${query}`, headers, remoteAddress: HOME }))
        .statusCode
    expect(await stream('', { cookie: `sse_auth_token=${member.token}` })).toBe(403)
    expect(await stream(`?token=${member.token}`, {})).toBe(403)
  })

  it('stay open to visitors of embedded assistants, who are not people of the company', async () => {
    const visitor = await aVisitor(app, member)
    await restrict('sign_in')
    const headers = { authorization: `Bearer ${visitor.token}` }
    expect((await get('/api/v1/embed/visit', headers, HOME)).status).toBe(200)
  })
})

describe('open streams', () => {
  it('close on every process within two seconds when their address is outside', async () => {
    const there = await startApp({ address: app.address })
    const bases = [await app.listen(), await there.listen()]
    const other = await aUser(app, { role: 'member' })
    const open = (user: TestUser) =>
      Promise.all(
        bases.map((base) => openStream(`${base}/api/v1/users/me/events`, { headers: user.headers })),
      )
    const [own, others] = [await open(member), await open(other)]
    for (const stream of [...own, ...others]) await stream.until('user_stream_init')
    const changed = performance.now()
    await restrict('sign_in')
    await Promise.all(own.map(({ ended }) => ended))
    expect(performance.now() - changed).toBeLessThan(2_000)
    const again = await fetch(`${bases[1]}/api/v1/users/me`, { headers: member.headers })
    expect(again.status).toBe(403)
    const isOpen = async ({ ended }: OpenStream) =>
      Promise.race([ended.then(() => false), new Promise((resolve) => setTimeout(() => resolve(true), 300))])
    expect(await Promise.all(others.map(isOpen))).toEqual([true, true])
    for (const stream of others) stream.leave()
    await there.close()
  })
})

describe('the administration of a company that restricts it', () => {
  const administer = (who: TestUser, address: string, companyId = house) =>
    get(`/api/v1/admin/companies/${companyId}/networks`, who.headers, address)

  it('is refused outside with a reason, while other pages work', async () => {
    const admin = await aUser(app, { role: 'company_admin', companyId: house })
    await restrict('administration')
    expect((await administer(admin, DESK)).status).toBe(200)
    expect((await me(admin.headers, DESK)).body).not.toHaveProperty('administration_closed')
    const answer = await administer(admin, HOME)
    expect(answer).toMatchObject({ status: 403, body: { code: 'administration_closed' } })
    expect(answer.body.detail).toContain(HOME)
    expect((await me(admin.headers, HOME)).body).toMatchObject({ administration_closed: true })
    expect((await get('/api/v1/sessions', admin.headers, HOME)).status).toBe(200)
    expect((await me(member.headers, HOME)).body).not.toHaveProperty('administration_closed')
  })

  it('leaves the administration of another company open', async () => {
    const admin = await aUser(app, { role: 'company_admin', companyId: house })
    const second = await aCompany(app)
    await app.deps.db
      .insertInto('company_members')
      .values({ company_id: second, user_id: admin.id, role: 'company_admin' })
      .execute()
    await restrict('administration')
    expect((await administer(admin, HOME, second)).status).toBe(200)
    expect((await administer(admin, HOME)).status).toBe(403)
    expect((await get('/api/v1/admin/companies', admin.headers, HOME)).body).toHaveLength(1)
  })

  it('is open to super admins from everywhere', async () => {
    const chief = await aUser(app, { role: 'super_admin', companyId: house })
    await restrict('administration')
    await restrict('sign_in')
    expect((await administer(chief, HOME)).status).toBe(200)
    expect((await get('/api/v1/admin/companies', chief.headers, HOME)).status).toBe(200)
  })
})
