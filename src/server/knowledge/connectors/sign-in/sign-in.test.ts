import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { aNetwork } from '#tests/company-network.ts'
import { connect } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { type DriveServer, startDriveServer } from '#tests/drive-server.ts'
import { type OAuthServer, startOAuthServer } from '#tests/oauth-server.ts'
import { keepCookies, wander } from '#tests/wander.ts'

let app: TestApp
let base: string
let root: Reader
let ada: Reader
let company: string
let oauth: OAuthServer
let drive: DriveServer
beforeAll(async () => {
  oauth = await startOAuthServer()
  drive = await startDriveServer(async (token) => (await oauth.personOf(token)) !== null)
  app = await startApp({
    config: {
      ...{ ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', GOOGLE_DRIVE_URL: drive.url },
      ...{ GOOGLE_DRIVE_CLIENT_ID: 'atrium', GOOGLE_DRIVE_CLIENT_SECRET: 'secret-of-atrium' },
      GOOGLE_DRIVE_AUTHORIZE_URL: `${oauth.url}/auth`,
      GOOGLE_DRIVE_TOKEN_URL: `${oauth.url}/token`,
    },
  })
  base = `${await app.listen()}/api/v1`
  const client = {
    ...{ client_id: 'atrium', client_secret: 'secret-of-atrium' },
    ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code' as const] },
    redirect_uris: [`${base}/connector-sign-ins/return`],
  }
  oauth.know({
    ...{ clients: [client], registers: false },
    scopes: ['https://www.googleapis.com/auth/drive.readonly'],
  })
  root = await aReader(app, base, await aUser(app, { role: 'super_admin' }))
})
afterAll(async () => {
  await app.close()
  drive.close()
  oauth.close()
})
beforeEach(async () => {
  ada = await aReader(app, base, await aUser(app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
  oauth.asked.length = 0
})
afterEach(async () => {
  await sql`delete from company_networks`.execute(app.deps.db)
  app.deps.networks.forget()
})

const wish = { source: 'google-drive', settings: {}, start: false }

/** Begins a sign-in, and returns how the browser of the person ends it. */
async function begin(connectorId: string, who = ada) {
  const begun = await fetch(`${base}/connectors/${connectorId}/sign-in`, {
    ...{ method: 'POST', headers: who.user.headers },
  })
  expect(begun.status).toBe(200)
  const { url: page } = (await begun.json()) as { url: string }
  const jar = new Map<string, string>()
  keepCookies(jar, begun)
  const end = async () => {
    const { url } = await wander(page, new Map([[new URL(base).host, jar]]))
    return url.searchParams.get('sign_in')
  }
  return { page: new URL(page), jar, end }
}
type Begun = Awaited<ReturnType<typeof begin>>

/** Returns the address to which the service sends the browser, without opening it. */
async function returnOf({ page }: Begun): Promise<URL> {
  const jar = new Map<string, string>()
  let url = page
  for (let hop = 0; hop < 10; hop += 1) {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } })
    keepCookies(jar, answer)
    url = new URL(answer.headers.get('location') ?? '', url)
    if (url.host === new URL(base).host) return url
  }
  throw new Error('The service does not return.')
}

/** Opens a return address in a browser with these cookies. */
async function arrive(url: URL, jar: Map<string, string>): Promise<string | null> {
  const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
  const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
  return new URL(answer.headers.get('location') ?? '', url).searchParams.get('sign_in')
}

const isSignedIn = async (id: string) =>
  (await sql`select from connector_sign_ins where connector_id = ${id}`.execute(app.deps.db)).rows.length > 0

describe('the return from the page of a source', () => {
  it('connects the person who began it', async () => {
    const { id } = await connect(ada, company, wish)
    const { end } = await begin(id)
    expect([await end(), await isSignedIn(id)]).toEqual(['connected', true])
  })

  it.each([['company'], ['personal']])('refuses a deactivated person at a %s connector', async (kind) => {
    const { id } = await connect(ada, kind === 'company' ? company : null, wish)
    const { end } = await begin(id)
    const done = await root.call('POST', `/admin/users/${ada.user.id}/deactivate`)
    expect(done.status).toBeLessThan(300)
    expect([await end(), await isSignedIn(id)]).toEqual(['expired', false])
    expect(oauth.asked).not.toContain('grant authorization_code')
  })

  it('refuses a person whose sign-in has ended', async () => {
    const { id } = await connect(ada, null, wish)
    const { end } = await begin(id)
    await sql`delete from access_tokens where user_id = ${ada.user.id}`.execute(app.deps.db)
    expect([await end(), await isSignedIn(id)]).toEqual(['expired', false])
  })

  it('refuses an administrator outside of the networks of administrators, except at a personal connector', async () => {
    const [shared, personal] = [await connect(ada, company, wish), await connect(ada, null, wish)]
    const [first, second] = [await begin(shared.id), await begin(personal.id)]
    await aNetwork(app, company, { restricts: 'administration', network: '192.0.2.0/24' })
    expect([await first.end(), await isSignedIn(shared.id)]).toEqual(['failed', false])
    expect([await second.end(), await isSignedIn(personal.id)]).toEqual(['connected', true])
  })

  it('refuses a person outside of the networks of their company', async () => {
    const { id } = await connect(ada, null, wish)
    const { end } = await begin(id)
    await aNetwork(app, company, { restricts: 'sign_in', network: '192.0.2.0/24' })
    expect([await end(), await isSignedIn(id)]).toEqual(['failed', false])
  })

  it('takes a code only for the connector it was asked for, and only once', async () => {
    const [first, second] = [await connect(ada, null, wish), await connect(ada, null, wish)]
    const [one, two] = [await begin(first.id), await begin(second.id)]
    // Both visits are of the same browser.
    two.jar.forEach((value, name) => {
      one.jar.set(name, value)
    })
    const back = await returnOf(one)
    const mixed = new URL(back)
    mixed.searchParams.set('state', two.page.searchParams.get('state') ?? '')
    expect(await arrive(mixed, two.jar)).toBe('failed')
    expect([await isSignedIn(first.id), await isSignedIn(second.id)]).toEqual([false, false])
    const again = await begin(first.id)
    const used = await returnOf(again)
    expect(await arrive(used, again.jar)).toBe('connected')
    await sql`delete from connector_sign_ins`.execute(app.deps.db)
    expect([await arrive(used, again.jar), await isSignedIn(first.id)]).toEqual(['failed', false])
  })
})
