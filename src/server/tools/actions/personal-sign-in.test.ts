import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runAlone } from '#tests/actions/acting.ts'
import { serviceConfig } from '#tests/actions/service-config.ts'
import { type ServiceWorld, startServiceWorld } from '#tests/actions/service-world.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { type OAuthServer, startOAuthServer } from '#tests/oauth-server.ts'
import { keepCookies, wander } from '#tests/wander.ts'

let chat: Chat
let oauth: OAuthServer
let world: ServiceWorld
let front: Server
beforeAll(async () => {
  oauth = await startOAuthServer()
  world = await startServiceWorld()
  front = await startFront()
  const page = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  const pages = {
    ...{ GOOGLE_MAIL_AUTHORIZE_URL: `${page}/authorize`, GOOGLE_MAIL_TOKEN_URL: `${page}/oauth/token` },
    ...{ MICROSOFT_MAIL_SIGN_IN_URL: page, JIRA_SIGN_IN_URL: page },
  }
  chat = await startChat({ app: { config: { ...serviceConfig(world), ...pages } } })
  const client = {
    ...{ client_id: 'atrium', client_secret: 'secret-of-atrium' },
    ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code' as const] },
    redirect_uris: [`${chat.url}/personal-accounts/return`],
  }
  const google = ['gmail.modify', 'calendar.events'].map((one) => `https://www.googleapis.com/auth/${one}`)
  const others =
    'User.Read Mail.ReadWrite Mail.Send Calendars.ReadWrite read:jira-user read:jira-work write:jira-work'
  oauth.know({
    clients: [client],
    registers: false,
    scopes: [...google, ...others.split(' '), 'offline_access'],
  })
})
afterAll(async () => {
  await chat.close()
  await world.close()
  front.close()
  oauth.close()
})
beforeEach(async () => {
  world.asked.length = 0
  await sql`delete from personal_accounts`.execute(chat.app.deps.db)
})

/** Has the addresses of the sign-in pages of all three services. */
async function startFront(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { pathname, search: given } = new URL(request.url ?? '', 'http://front')
    // The server of the test knows no choice of accounts.
    const search = given.replace('prompt=select_account', 'prompt=consent')
    if (pathname.endsWith('/authorize'))
      return response.writeHead(302, { location: `${oauth.url}/auth${search}` }).end()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { authorization, 'content-type': type = '' } = request.headers
    const headers = { 'content-type': type, ...(authorization && { authorization }) }
    const answer = await fetch(`${oauth.url}/token`, { method: 'POST', headers, body: Buffer.concat(chunks) })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** Begins a sign-in. Returns its page, and how the browser of the person ends it. */
async function begin(kind: string) {
  const begun = await fetch(`${chat.url}/personal-accounts/${kind}/sign-in`, {
    ...{ method: 'POST', headers: chat.user.headers },
  })
  expect(begun.status).toBe(200)
  const { url: page } = (await begun.json()) as { url: string }
  const jar = new Map<string, string>()
  keepCookies(jar, begun)
  const end = async (cookies = jar) => {
    const { url } = await wander(page, new Map([[new URL(chat.url).host, cookies]]))
    return `${url.pathname}?account=${url.searchParams.get('account')}`
  }
  return { page: new URL(page), end }
}

describe('the sign-in of an account', () => {
  it.each([
    ['google', 'ada@gmail.test', 'search_mail', {}],
    ['microsoft', 'ada@contoso.test', 'search_mail', {}],
    ['jira', 'ada@acme.test', null, {}],
  ])('connects %s for the person who began it [AC-01]', async (kind, address, tool, inputs) => {
    const { end } = await begin(kind)
    expect(await end()).toBe('/user/accounts?account=connected')
    const { items } = (await chat.call('GET', '/personal-accounts')).body
    const found = items.find((one: { kind: string }) => one.kind === kind)
    expect(found.connected.address).toBe(address)
    const { rows } = await sql<{ sealed: string }>`select sealed from personal_accounts`.execute(
      chat.app.deps.db,
    )
    const kept = JSON.parse(chat.app.deps.secrets.open(rows[0]?.sealed ?? ''))
    expect(rows[0]?.sealed).not.toContain(kept.access)
    if (!tool) return
    expect((await runAlone(chat, tool, inputs)).error).toBeNull()
    expect(world.asked.at(-1)?.by).toBe(`Bearer ${kept.access}`)
  })

  it('ends only in the browser in which it began, and only while its person is signed in', async () => {
    const { end } = await begin('google')
    expect(await end(new Map())).toBe('/user/accounts?account=expired')
    const other = await begin('google')
    await sql`delete from access_tokens where user_id = ${chat.user.id}`.execute(chat.app.deps.db)
    expect(await other.end()).toBe('/user/accounts?account=expired')
    const { rows } = await sql`select from personal_accounts`.execute(chat.app.deps.db)
    expect(rows).toEqual([])
  })
})
