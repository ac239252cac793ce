import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { approve, askToAct } from '#tests/actions/acting.ts'
import { type ApiServer, startApiServer } from '#tests/api-server.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { type OAuthServer, startOAuthServer } from '#tests/oauth-server.ts'
import { keepCookies, wander } from '#tests/wander.ts'

let api: ApiServer
let elsewhere: ApiServer
let oauth: OAuthServer
let chat: Chat
let now = new Date()
beforeAll(async () => {
  api = await startApiServer()
  elsewhere = await startApiServer()
  oauth = await startOAuthServer()
  const config = { ATRIUM_TOOLS_PRIVATE: [api.url, oauth.url, elsewhere.url].join() }
  chat = await startChat({ app: { config, clock: { now: () => now } } })
  const client = {
    ...{ client_id: 'atrium', client_secret: 'a-secret-of-atrium' },
    redirect_uris: [`${chat.url}/tool-accounts/return`],
    grant_types: ['authorization_code', 'refresh_token'],
  }
  oauth.know({ clients: [client], registers: false })
  api.answer(({ path, headers }) => ({ body: { path, authorization: headers.authorization ?? null } }))
})
afterAll(async () => {
  await chat.close()
  await api.close()
  await elsewhere.close()
  oauth.close()
})
beforeEach(() => {
  now = new Date()
  oauth.does('well')
  oauth.signInAs('ada')
  oauth.tokensLast(3_600)
  oauth.asked.length = 0
  api.asked.length = 0
})

const authOf = (more: object = {}) => ({
  ...{ kind: 'oauth2_user', client_id: 'atrium', scopes: ['openid', 'offline_access'] },
  ...{ authorize_url: `${oauth.url}/auth`, token_url: `${oauth.url}/token` },
  ...{ revoke_url: `${oauth.url}/token/revocation`, ...more },
})
const aTool = (more: object = {}) => ({
  ...{ ui_name: 'My orders', description: 'Orders of the person.' },
  call: { method: 'GET', address: `${api.url}/orders`, inputs: [] },
  ...{ auth: authOf(), secrets: { client_secret: 'a-secret-of-atrium' }, ...more },
})

async function make(tool: object = aTool(), person: TestUser = chat.user) {
  const { status, body } = await chat.call('POST', '/tools', tool, person.headers)
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: string; account: { set_id: string; service: string } }
}
async function execute(id: string, person: TestUser = chat.user) {
  const started = await chat.call('POST', `/tools/${id}/execute`, { inputs: {} }, person.headers)
  for (;;) {
    const path = `/tool-executions/${started.body.tool_execution_id}`
    const { body } = await chat.call('GET', path, undefined, person.headers)
    if (body.finished_at) return body
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
const accountOf = async (setId: string, person: TestUser = chat.user) =>
  (await chat.call('GET', `/tool-sets/${setId}/account`, undefined, person.headers)).body

/** Connects an account like a person's browser; `meanwhile` runs during the visit to the service. */
async function connect(setId: string, person: TestUser = chat.user, { toolId = '', isOther = false } = {}) {
  const cookies = new Map<string, Map<string, string>>()
  const begun = await fetch(`${chat.url}/tool-sets/${setId}/account`, {
    method: 'POST',
    headers: { ...person.headers, 'content-type': 'application/json' },
    body: JSON.stringify(toolId === '' ? {} : { tool_id: toolId }),
  })
  const body = (await begun.json()) as { url: string }
  expect(begun.status, JSON.stringify(body)).toBe(200)
  const jar = new Map<string, string>()
  if (!isOther) keepCookies(jar, begun)
  cookies.set(new URL(chat.url).host, jar)
  const { url } = await wander(body.url, cookies)
  return { asked: new URL(body.url).searchParams, back: `${url.pathname}${url.search}` }
}

describe('tool with personal accounts', () => {
  it('asks to connect, calls with the account, renews tokens, and disconnects it [XT-03]', async () => {
    const tool = await make()
    const { set_id } = tool.account
    expect(tool.account.service).toBe(new URL(oauth.url).host)
    const refused = await execute(tool.id)
    expect(refused.error).toBe(
      `Your account at ${new URL(oauth.url).host} is not connected. Connect it here, then try again: ${chat.app.deps.publicUrl()}/tools/${tool.id}`,
    )
    expect(api.asked).toEqual([])
    const { asked, back } = await connect(set_id, chat.user, { toolId: tool.id })
    expect(back).toBe(`/tools/${tool.id}?account=connected`)
    expect(Object.fromEntries(asked)).toMatchObject({
      ...{ client_id: 'atrium', code_challenge_method: 'S256', response_type: 'code' },
      scope: 'openid offline_access',
    })
    expect(await accountOf(set_id)).toMatchObject({
      ...{ service: new URL(oauth.url).host, origins: [api.url], connected_at: expect.any(String) },
    })
    expect((await execute(tool.id)).status).toBe('complete')
    const first = api.take().headers.authorization?.replace('Bearer ', '') ?? ''
    expect(await oauth.personOf(first)).toBe('ada')

    // The echoed request does not show the token to the person or a model.
    expect(JSON.stringify((await execute(tool.id)).result)).not.toContain(first)
    now = new Date(Date.now() + 3_600_000)
    expect((await execute(tool.id)).status).toBe('complete')
    const second = api.take().headers.authorization?.replace('Bearer ', '') ?? ''
    expect(second).not.toBe(first)
    expect(oauth.asked).toEqual(['grant authorization_code', 'grant refresh_token'])

    const rows = await chat.app.deps.db.selectFrom('own_tool_accounts').selectAll().execute()
    for (const secret of [first, second, 'a-secret-of-atrium'])
      expect(JSON.stringify(rows)).not.toContain(secret)
    const left = await chat.call('DELETE', `/tool-sets/${set_id}/account`)
    expect(left.body).toEqual({ told: true })
    expect(await oauth.personOf(second)).toBeNull()
    expect((await execute(tool.id)).error).toMatch(/is not connected/)
    expect((await accountOf(set_id)).connected_at).toBeNull()
    const { rows: written } = await sql<{ did: string; subject: string }>`
      select did, subject from audit_entries where did like 'service.%' order by id`.execute(chat.app.deps.db)
    const subject = new URL(oauth.url).host
    expect(written).toEqual([
      { did: 'service.connected', subject },
      { did: 'service.disconnected', subject },
    ])
  })

  it('is not called for words of others, nor where people outside read the reply [XT-03]', async () => {
    const tool = await make()
    await connect(tool.account.set_id)
    await chat.call('PUT', `/tools/${tool.id}/policy`, { policy: 'ask' })
    const made = await chat.call('POST', '/assistants', { name: 'Reception', system_prompt: 'Be there.' })
    const { db } = chat.app.deps
    const endAfter = async (change: (sessionId: string) => Promise<unknown>) => {
      const { execution, sessionId } = await askToAct(chat, tool.id, {})
      await change(sessionId)
      return approve(chat, execution)
    }
    const byOthers = (id: string) =>
      sql`update messages set is_by_others = true where session_id = ${id}`.execute(db)
    const readOutside = (id: string) =>
      sql`insert into mail_threads (assistant_id, user_id, sender, session_id)
        values (${made.body.id}, ${chat.user.id}, 'paul@partner.example', ${id})`.execute(db)
    api.asked.length = 0
    expect((await endAfter(byOthers)).error).toContain('not used to answer messages, events or programs')
    expect((await endAfter(readOutside)).error).toContain('not used in a chat that others can read')
    expect(api.asked).toEqual([])
    expect((await endAfter(async () => undefined)).error).toBeNull()
    expect(api.asked).toHaveLength(1)
  })

  it('has a separate account for each person it is shared with', async () => {
    const companyId = await aCompany(chat.app)
    const admin = await aUser(chat.app, { role: 'company_admin', companyId })
    const mate = await aUser(chat.app, { role: 'member', companyId })
    const stranger = await aUser(chat.app)
    const { id, account } = await make(aTool({ companies: [companyId] }), admin)
    await connect(account.set_id, admin)
    expect((await execute(id, mate)).error).toMatch(/is not connected/)
    oauth.signInAs('bob')
    await connect(account.set_id, mate)
    expect((await execute(id, mate)).status).toBe('complete')
    expect(await oauth.personOf(api.take().headers.authorization?.replace('Bearer ', '') ?? '')).toBe('bob')
    await execute(id, admin)
    expect(await oauth.personOf(api.take().headers.authorization?.replace('Bearer ', '') ?? '')).toBe('ada')
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(
        await chat.call(
          method,
          `/tool-sets/${account.set_id}/account`,
          method === 'POST' ? {} : undefined,
          stranger.headers,
        ),
      ).toMatchObject({ status: 403 })
  })

  it('never sends a token to an origin for which its person did not connect it', async () => {
    const { id, account } = await make()
    await connect(account.set_id)
    const call = { method: 'GET', address: `${elsewhere.url}/orders`, inputs: [] }
    await chat.call('PUT', `/tools/${id}`, { call })
    expect((await execute(id)).error).toMatch(/is not connected/)
    await chat.call('PUT', `/tools/${id}`, {
      ...{ call: aTool().call, auth: authOf({ token_url: `${elsewhere.url}/token` }) },
    })
    expect((await execute(id)).error).toMatch(/is not connected/)
    expect(elsewhere.asked).toEqual([])
  })

  it('asks to connect again if the service no longer knows the grant', async () => {
    const { id, account } = await make()
    await connect(account.set_id)
    oauth.forget()
    now = new Date(Date.now() + 3_600_000)
    expect((await execute(id)).error).toMatch(/is not connected/)
    expect((await accountOf(account.set_id)).connected_at).toBeNull()
  })

  it('renews a token that is refused early, once for concurrent calls', async () => {
    const { id, account } = await make()
    await connect(account.set_id)
    let refused = ''
    api.answer(({ headers: { authorization = '' } }) => {
      if (refused === '') refused = authorization
      return authorization === refused ? { status: 401, body: {} } : { body: { ok: true } }
    })
    const done = await Promise.all([1, 2, 3, 4].map(() => execute(id)))
    expect(done.map(({ status }) => status)).toEqual(Array(4).fill('complete'))
    expect(oauth.asked.filter((one) => one === 'grant refresh_token')).toHaveLength(1)
    api.answer({ status: 401, body: {} })
    expect((await execute(id)).error).toMatch(/refused your account \(401\)/)
  })

  it('is not connected without consent, in another browser, too late, or with a forged state', async () => {
    const { account } = await make()
    oauth.does('deny')
    expect((await connect(account.set_id)).back).toBe(`/tools/servers/${account.set_id}?account=refused`)
    oauth.does('well')
    expect((await connect(account.set_id, chat.user, { isOther: true })).back).toMatch(/account=expired$/)
    expect((await wander(`${chat.url}/tool-accounts/return?state=x&code=y`)).url.search).toBe(
      '?account=expired',
    )
    expect((await accountOf(account.set_id)).connected_at).toBeNull()
  })

  it('also works with a client without a secret', async () => {
    const { id, account } = await make(aTool({ secrets: {} }))
    expect(await accountOf(account.set_id)).toMatchObject({ connected_at: null })
    const wrong = await chat.call(
      'POST',
      '/tools',
      aTool({ auth: authOf({ authorize_url: 'javascript:x' }) }),
    )
    expect(wrong.status).toBe(422)
    const dry = await chat.call('POST', '/tools/try', { tool_id: id, dry_run: true })
    expect(dry.body.request.headers.authorization).toBe('Bearer •••• token')
  })
})
