import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { AuditStream } from '#shared/identity/audit-stream/audit-stream.ts'
import { type ApiServer, startApiServer } from '#tests/api-server.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { type SyslogServer, startSyslogServer } from '#tests/syslog-server.ts'
import { writeAudit } from '../audit/audit.ts'
import { sendEntries } from './send-entries.ts'

const HOUR = 3_600_000
const actor = { id: null, name: 'Ada', address: '10.0.0.1' }
const never = new AbortController().signal
let now = new Date()
let app: TestApp
let admin: TestUser
let member: TestUser
let web: ApiServer
let syslog: SyslogServer
beforeAll(async () => {
  web = await startApiServer()
  syslog = await startSyslogServer()
  const allowed = [web.url, `http://127.0.0.1:${syslog.port}`]
  app = await startApp({
    ...{ jobs: false, clock: { now: () => now } },
    config: { ATRIUM_TOOLS_PRIVATE: allowed.join(',') },
  })
  admin = await aUser(app, { role: 'super_admin' })
  member = await aUser(app)
})
afterAll(async () => {
  await app.close()
  await web.close()
  await syslog.close()
})
afterEach(async () => {
  now = new Date()
  syslog.clear()
  await app.deps.db.deleteFrom('audit_stream').execute()
})

const call = async (
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  payload?: object,
  who = admin,
) => {
  const url = `/api/v1/admin/audit-stream${path}`
  const answer = await app.http.inject({ method, url, headers: who.headers, ...(payload ? { payload } : {}) })
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() }
}
const connect = async (address: string, more: object = {}) => {
  const { status, body } = await call('PUT', '', { address, starts: 'newest', ...more })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as { stream: AuditStream; secret: string | null }
}
const state = async () => (await call('GET', '')).body.stream as AuditStream
const send = () => sendEntries(app.deps, never)
const syslogNumbers = () => syslog.messages().map((message) => textOf(message).sequence)
const textOf = (message: string) =>
  JSON.parse(message.slice(message.indexOf('\uFEFF') + 1)) as Record<
    'sequence' | 'subject' | 'action',
    unknown
  >

describe('syslog messages', () => {
  it('follow RFC 5424, with the number and the severity of their entry', async () => {
    await connect(`syslog://127.0.0.1:${syslog.port}`)
    const { sent_to } = await state()
    await app.deps.db
      .transaction()
      .execute((trx) =>
        writeAudit(trx, now, { actor, did: 'session.refused', subject: 'Été\n7', refused: true }),
      )
    await send()
    const [connected, refused] = syslog.messages()
    expect(connected).toMatch(
      /^<110>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z atrium\.test atrium - audit_stream\.connected \[meta sequenceId="\d+"\] \uFEFF\{/,
    )
    expect(refused).toContain(
      `<108>1 ${now.toISOString()} atrium.test atrium - session.refused [meta sequenceId="${sent_to + 2}"] `,
    )
    expect(textOf(refused ?? '')).toMatchObject({
      sequence: sent_to + 2,
      subject: 'Été\n7',
      action: 'session.refused',
    })
  })

  it('are sent again when the receiver does not read to the end', async () => {
    await connect(`syslog://127.0.0.1:${syslog.port}`)
    syslog.breakNext()
    expect(await send()).not.toBeNull()
    expect((await state()).error).not.toBeNull()
    now = new Date(now.getTime() + HOUR)
    expect(await send()).toBeNull()
    expect((await state()).waiting).toBe(0)
    expect(syslogNumbers()).toHaveLength(1)
  })

  it('are not sent to a server whose certificate is not trusted', async () => {
    const secure = await startSyslogServer({ isSecure: true })
    await connect(`syslog://127.0.0.1:${syslog.port}`)
    await sql`update audit_stream set address = ${`syslogs://localhost:${secure.port}`}`.execute(app.deps.db)
    const deps = {
      ...app.deps,
      config: { ...app.deps.config, ATRIUM_TOOLS_PRIVATE: [`http://localhost:${secure.port}`] },
    }
    expect(await sendEntries(deps, never)).not.toBeNull()
    expect((await state()).error).toMatch(/certificate/)
    expect(secure.messages()).toEqual([])
    secure.trust()
    now = new Date(now.getTime() + HOUR)
    expect(await sendEntries(deps, never)).toBeNull()
    expect(secure.messages()).toHaveLength(1)
    await secure.close()
  })
})

describe('the address of the audit stream', () => {
  it.each([
    'http://10.1.2.3/',
    'https://localhost/',
    'syslog://10.1.2.3:514',
    'syslogs://2130706433',
    'syslog://[::1]:514',
    'http://siem.example/',
  ])('is refused when it is private or not encrypted: %s', async (address) => {
    expect((await call('PUT', '', { address })).status).toBe(422)
    expect((await call('GET', '')).body).toEqual({ stream: null })
  })

  it('is shown as it is called, and only to super admins', async () => {
    expect((await connect('syslogs://Siem.invalid')).stream).toMatchObject({
      kind: 'syslogs',
      address: 'syslogs://siem.invalid:6514',
    })
    expect((await call('GET', '', undefined, member)).status).toBe(403)
    expect((await call('PUT', '', { address: 'https://siem.invalid' }, member)).status).toBe(403)
  })

  it('is logged when it is set, changed and removed', async () => {
    await connect(`${web.url}/audit?key=hidden`)
    expect(await lastAudited(app, 'audit_stream.connected')).toMatchObject({
      actor_id: admin.id,
      subject: web.url,
    })
    await connect('https://siem.invalid/', { is_on: false })
    expect((await lastAudited(app, 'audit_stream.changed'))?.changes.map(({ what }) => what)).toEqual([
      'address',
      'on',
    ])
    expect((await call('DELETE', '')).status).toBe(204)
    expect(await lastAudited(app, 'audit_stream.disconnected')).toMatchObject({ actor_id: admin.id })
    expect((await call('GET', '')).body).toEqual({ stream: null })
  })
})
