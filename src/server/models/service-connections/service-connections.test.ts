import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lastAudited } from '#tests/audit-log.ts'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { type GoogleServer, startGoogleServer } from '#tests/google-server.ts'

let google: GoogleServer
let chat: Chat
let now = new Date('2026-11-24T08:00:00Z')
beforeAll(async () => {
  google = await startGoogleServer()
  const config = {
    ...{ GOOGLE_CLIENT_ID: 'atrium', GOOGLE_CLIENT_SECRET: 'secret' },
    ...{ GOOGLE_ISSUER: google.url, GOOGLE_SHEETS_URL: google.url },
  }
  chat = await startChat({ app: { config, clock: { now: () => now } } })
})
afterAll(async () => {
  await chat.close()
  await google.close()
})
beforeEach(() => {
  google.does('well')
  google.sheets.length = 0
  google.asked.length = 0
})

type Person = { headers: Record<string, string> }
const tokenOf = ({ headers }: Person) => (headers.authorization ?? '').replace('Bearer ', '')
const table = {
  table_headers: ['Supplier', 'Cost'],
  prospects: [
    ['Kessler', '612400'],
    ['=1+1', '-5.5'],
    ['007', '488 150 €'],
  ],
  sheet_title: 'table 2026-11-24',
}
const connected = async (person: Person = chat.user) =>
  (await chat.call('GET', '/service-connections/status/google', undefined, person.headers)).body.connected
const exported = (person: Person = chat.user) =>
  chat.call('POST', '/service-connections/export/google-sheet', table, person.headers)

/** Goes through the window as a browser would, and returns the message of its last page. `meanwhile` simulates the person at Google. */
async function connect(token = tokenOf(chat.user), { cookies = true, meanwhile = () => {} } = {}) {
  let at = `${chat.url}/service-connections/connect/google?auth_token=${encodeURIComponent(token)}`
  let cookie = ''
  for (let hop = 0; hop < 5; hop++) {
    const answer = await fetch(at, { redirect: 'manual', headers: cookies ? { cookie } : {} })
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
    const next = answer.headers.get('location')
    if (next === null) return { answer, page: await answer.text() }
    if (hop === 0) meanwhile()
    at = new URL(next, at).href
  }
  throw new Error('no end')
}
const saidBy = (page: string) => JSON.parse(/const said = (\{.*\})/.exec(page)?.[1] ?? 'null')

describe('Google sheets', () => {
  it('are created in the account that a person connected in a window [SV-41, SV-42, SV-43]', async () => {
    const status = await chat.call('GET', '/service-connections/status/google')
    expect(status.body).toEqual({ available: true, connected: false })
    expect(await exported()).toMatchObject({ status: 401, body: { code: 'not_connected' } })
    const { answer, page } = await connect()
    expect(saidBy(page)).toEqual({
      ...{ type: 'google-connection', status: 'success' },
      detail: 'Google is connected. This window can be closed.',
    })
    expect(page).toContain('opener.postMessage(said, location.origin)')
    const nonce = /script nonce="([^"]+)"/.exec(page)?.[1]
    expect(answer.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'nonce-${nonce}'; frame-ancestors 'none'`,
    )
    expect(Object.fromEntries(google.asked[0] ?? [])).toMatchObject({
      ...{ scope: 'https://www.googleapis.com/auth/drive.file', access_type: 'offline', client_id: 'atrium' },
      code_challenge_method: 'S256',
    })
    expect(await connected()).toBe(true)
    expect(await lastAudited(chat.app, 'service.connected')).toMatchObject({ subject: 'google' })
    expect(await exported()).toMatchObject({ status: 200, body: { sheet_url: `${google.url}/sheet/1` } })
    expect(google.sheets).toEqual([
      {
        ...{ token: 'Bearer entered', title: 'table 2026-11-24' },
        rows: [
          [{ stringValue: 'Supplier' }, { stringValue: 'Cost' }],
          [{ stringValue: 'Kessler' }, { numberValue: 612400 }],
          [{ stringValue: '=1+1' }, { numberValue: -5.5 }],
          [{ stringValue: '007' }, { stringValue: '488 150 €' }],
        ],
      },
    ])
    expect(await lastAudited(chat.app, 'export.created')).toMatchObject({ changes: [{ after: '3' }] })
    const kept = await chat.app.deps.db.selectFrom('service_connections').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain('lasting')
  })

  it('belong to one person, who has to connect again after Google revoked access', async () => {
    await connect()
    const stranger = await aUser(chat.app)
    expect(await connected(stranger)).toBe(false)
    google.does('forget')
    expect(await exported()).toMatchObject({
      ...{ status: 401, body: { detail: 'Google is not connected any more. Please connect it again.' } },
    })
    expect(await connected()).toBe(false)
    expect(await lastAudited(chat.app, 'service.disconnected')).toMatchObject({ subject: 'google' })
  })

  it("report Google's reason when it creates none", async () => {
    await connect()
    google.does('refuse sheets')
    expect(await exported()).toMatchObject({ status: 502, body: { detail: 'The Sheets API is off.' } })
    google.does('name no sheet')
    expect(await exported()).toMatchObject({ status: 200, body: { sheet_url: null } })
  })

  it('are not connected without permission, a token, the same browser, or after the time limit', async () => {
    const stranger = await aUser(chat.app)
    const token = tokenOf(stranger)
    const detailOf = async (found: ReturnType<typeof connect>) => saidBy((await found).page)
    expect(await detailOf(connect('nobody'))).toMatchObject({
      ...{ status: 'error', detail: 'Authentication error. Please log in again.' },
    })
    expect(await detailOf(connect(token, { cookies: false }))).toMatchObject({ status: 'error' })
    const later = () => {
      now = new Date(now.getTime() + 11 * 60_000)
    }
    expect(await detailOf(connect(token, { meanwhile: later }))).toMatchObject({
      ...{ status: 'error', detail: 'This attempt is too old. Please try again.' },
    })
    google.does('deny')
    expect(await detailOf(connect(token))).toMatchObject({ detail: 'Google was not given leave.' })
    expect(await connected(stranger)).toBe(false)
  })

  it('report that they are not set up [G-36]', async () => {
    const bare = await startChat()
    try {
      const answer = await fetch(
        `${bare.url}/service-connections/connect/google?auth_token=${tokenOf(bare.user)}`,
      )
      expect(saidBy(await answer.text())).toMatchObject({
        ...{ status: 'error', detail: expect.stringContaining('not set up') },
      })
      const refused = await bare.call('POST', '/service-connections/export/google-sheet', table)
      expect(refused).toMatchObject({ status: 422, body: { code: 'not_available' } })
    } finally {
      await bare.close()
    }
  })
})
