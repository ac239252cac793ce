import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '#shared/identity/audit/audit.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'

let app: TestApp
let superAdmin: TestUser
let admin: TestUser
let member: TestUser
let companyId: string
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_BILLING: 'on' } })
  companyId = await aCompany(app)
  superAdmin = await aUser(app, { role: 'super_admin' })
  admin = await aUser(app, { role: 'company_admin', companyId })
  member = await aUser(app, { role: 'member', companyId })
})
afterAll(() => app.close())

const call = (
  who: TestUser | null,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  payload?: object,
) =>
  app.http.inject({
    ...{ method, url: `/api/v1${path}`, headers: who?.headers ?? {} },
    ...(payload ? { payload } : {}),
  })
const entries = async (who: TestUser, query = '') =>
  (await call(who, 'GET', `/admin/audit?limit=100${query}`)).json<{ items: AuditEntry[]; total: number }>()
const newest = async (did: string) => (await entries(superAdmin, `&did=${did}`)).items[0]
const signIn = (username: string, password: string) =>
  app.http.inject({
    method: 'POST',
    url: '/api/v1/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/128.0',
    },
    payload: new URLSearchParams({ username, password }).toString(),
  })

describe('the audit log', () => {
  it('records successful and refused sign-ins with device and address [AD-10]', async () => {
    const form = { username: 'jo_audit', email: 'jo@audit.example', password: 'a long pass phrase 7' }
    expect((await call(null, 'POST', '/users', form)).statusCode).toBe(201)
    expect(await newest('account.created')).toMatchObject({ subject: 'jo_audit' })
    expect((await signIn('jo_audit', 'another pass phrase 8')).statusCode).toBe(401)
    expect((await signIn('jo_audit', form.password)).statusCode).toBe(200)
    const seen = { actor: { name: 'jo_audit' }, subject: 'Firefox, Windows', address: '127.0.0.1' }
    expect(await newest('session.refused')).toMatchObject({ ...seen, refused: true })
    expect(await newest('session.started')).toMatchObject({ ...seen, refused: false })
    expect((await entries(superAdmin, '&refused=true&q=jo_audit')).items.map(({ did }) => did)).toEqual([
      'session.refused',
    ])
  })

  it("records administrators' changes with old and new values, but never secrets [AD-10]", async () => {
    const actor = { id: superAdmin.id }
    const role = { membership: { company_id: companyId, role: 'company_admin' }, beta_access: true }
    expect((await call(superAdmin, 'PATCH', `/admin/users/${member.id}`, role)).statusCode).toBe(200)
    expect(await newest('role.changed')).toMatchObject({
      ...{ actor, changes: [{ what: 'role', before: 'member', after: 'company_admin' }] },
    })
    expect(await newest('account.changed')).toMatchObject({
      ...{ actor, changes: [{ what: 'beta_access', before: 'false', after: 'true' }] },
    })
    await call(superAdmin, 'PATCH', `/admin/companies/${companyId}`, { name: 'Orsane' })
    expect(await newest('company.renamed')).toMatchObject({
      company: 'Orsane',
      changes: [{ after: 'Orsane' }],
    })
    await call(superAdmin, 'POST', '/admin/companies', { name: 'Orsane UK' })
    expect(await newest('company.created')).toMatchObject({ subject: 'Orsane UK' })
    await call(superAdmin, 'POST', `/admin/users/${member.id}/top-up`, { amount: 25, reason: 'Summer' })
    expect(await newest('balance.topped_up')).toMatchObject({
      ...{
        actor,
        changes: [
          { what: 'amount', after: '25' },
          { what: 'reason', after: 'Summer' },
        ],
      },
    })
    const connection = {
      kind: 'compatible',
      name: 'House',
      base_url: 'http://127.0.0.1:9/v1',
      api_key: 'sk-secret-1',
    }
    const { id } = (await call(superAdmin, 'POST', '/model-connections', connection)).json<{ id: string }>()
    const other = { base_url: 'http://127.0.0.1:8/v1', api_key: 'sk-secret-2' }
    await call(superAdmin, 'PATCH', `/model-connections/${id}`, other)
    expect((await newest('connection.changed'))?.changes).toEqual([
      { what: 'base_url', before: connection.base_url, after: other.base_url },
      { what: 'key', before: null, after: 'replaced' },
    ])
    await call(superAdmin, 'DELETE', `/model-connections/${id}`)
    expect(await newest('connection.removed')).toMatchObject({ subject: 'House' })
    expect(JSON.stringify(await entries(superAdmin))).not.toContain('sk-secret')
  })

  it('records sign-up policy changes and invitations', async () => {
    const actor = { id: superAdmin.id }
    const rules = { policy: 'domain', domains: ['orsane.eu'] }
    expect((await call(superAdmin, 'PUT', '/admin/sign-up', rules)).statusCode).toBe(200)
    expect(await newest('sign_up.changed')).toMatchObject({
      actor,
      changes: [
        { what: 'policy', before: 'open', after: 'domain' },
        { what: 'domains', before: '', after: 'orsane.eu' },
      ],
    })
    await call(superAdmin, 'PUT', '/admin/sign-up', { policy: 'open', domains: [] })
    const wish = { company_id: companyId, role: 'member', emails: ['ines@orsane.eu'] }
    const invited = await call(superAdmin, 'POST', '/admin/invitations', wish)
    const [{ id } = { id: '' }] = invited.json<{ items: { id: string }[] }>().items
    expect(await newest('invitation.created')).toMatchObject({
      actor,
      subject: 'ines@orsane.eu',
      company: 'Orsane',
    })
    await call(superAdmin, 'DELETE', `/admin/invitations/${id}`)
    expect(await newest('invitation.withdrawn')).toMatchObject({ actor, subject: 'ines@orsane.eu' })
  })

  it('commits with its change: a failed change leaves no entry [AD-10]', async () => {
    const before = (await entries(superAdmin)).total
    const nobody = { membership: { company_id: crypto.randomUUID(), role: 'member' } }
    expect((await call(superAdmin, 'PATCH', `/admin/users/${member.id}`, nobody)).statusCode).toBe(404)
    expect((await entries(superAdmin)).total).toBe(before)
  })

  it('shows administrators only actions in their companies', async () => {
    const own = await entries(admin)
    expect(own.total).toBeGreaterThan(0)
    expect(new Set(own.items.map(({ company }) => company))).toEqual(
      new Set(['Orsane', own.items.at(-1)?.company]),
    )
    expect(own.items.map(({ did }) => did)).not.toContain('connection.removed')
    expect((await call(member, 'GET', '/admin/audit/check')).statusCode).toBe(403)
  })

  it('can be exported as a file without active cells [AD-10]', async () => {
    await call(superAdmin, 'POST', '/admin/companies', { name: '=cmd()' })
    const file = await call(superAdmin, 'GET', '/admin/audit/export?time_zone=Europe/Paris&language=fr')
    expect(file.headers['content-disposition']).toContain('audit.csv')
    const lines = file.body.replace('\uFEFF', '').trimEnd().split('\r\n')
    expect(lines[0]).toMatch(/^Ligne;Quand;Qui;Action;/)
    expect(lines.length).toBe((await entries(superAdmin)).total + 1)
    expect(file.body).toContain(";'=cmd();")
  })

  it('is immutable, and tampering is detected [AD-10]', async () => {
    const { db } = app.deps
    const check = async () => (await call(superAdmin, 'GET', '/admin/audit/check')).json()
    expect(await check()).toMatchObject({ entries: (await entries(superAdmin)).total, broken_at: null })
    await expect(sql`update audit_entries set subject = 'x' where id = 2`.execute(db)).rejects.toThrow(
      /never changed/,
    )
    await expect(sql`delete from audit_entries`.execute(db)).rejects.toThrow(/never changed/)
    await sql`alter table audit_entries disable trigger user`.execute(db)
    await sql`update audit_entries set subject = 'somebody else' where id = 2`.execute(db)
    expect(await check()).toMatchObject({ broken_at: 2 })
    await sql`delete from audit_entries where id = 2`.execute(db)
    expect(await check()).toMatchObject({ broken_at: 3 })
    await sql`alter table audit_entries enable trigger user`.execute(db)
  })

  it('keeps its hash chain under concurrent writes', async () => {
    const made = Array.from({ length: 20 }, (_, n) =>
      call(superAdmin, 'POST', '/admin/companies', { name: `C${n}` }),
    )
    expect((await Promise.all(made)).map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(201))
    const { items } = await entries(superAdmin)
    for (const [at, { previous }] of items.slice(0, 20).entries())
      expect(previous).toBe(items[at + 1]?.fingerprint)
  })
})
