import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'

let app: TestApp
let superAdmin: TestUser
let companyAdmin: TestUser
let member: TestUser
let stranger: TestUser
let companyId: string
beforeAll(async () => {
  app = await startApp({ jobs: false })
  superAdmin = await aUser(app, { role: 'super_admin' })
  companyAdmin = await aUser(app, { role: 'company_admin' })
  companyId = await companyOf(companyAdmin)
  member = await aUser(app, { role: 'member', companyId, username: 'hugo' })
  stranger = await aUser(app, { role: 'member' })
  await key(member, 'Nightly', 'key')
  await key(member, 'Claude', 'program')
  await key(stranger, 'Elsewhere', 'key')
  await key(superAdmin, 'Root', 'key')
  await webhook({ company_id: companyId }, 'Desk')
  await webhook({ user_id: member.id }, 'Own')
})
afterAll(() => app.close())

async function companyOf({ id }: TestUser): Promise<string> {
  const { rows } = await sql<{ company_id: string }>`
    select company_id from company_members where user_id = ${id}`.execute(app.deps.db)
  return rows[0]!.company_id
}
const key = (user: TestUser, name: string, kind: 'key' | 'program') =>
  sql`insert into access_keys (user_id, kind, name, secret_hash, hint, last_used_at)
    values (${user.id}, ${kind}, ${name}, ${Buffer.from(name)}, ${`atr_${name}`}, '2026-11-20T10:00:00Z')`.execute(
    app.deps.db,
  )
const webhook = (owner: { company_id?: string; user_id?: string }, name: string) =>
  sql`insert into webhooks (company_id, user_id, name, url, events, secret)
    values (${owner.company_id ?? null}, ${owner.user_id ?? null}, ${name}, 'https://hooks.test/secret-path',
      '{run.failed}', 'x')`.execute(app.deps.db)

async function list({ headers }: TestUser, query = '') {
  const { body, statusCode } = await app.http.inject({ url: `/api/v1/admin/outside-access${query}`, headers })
  const answer = JSON.parse(body)
  const names = (answer.items ?? []).map(({ name }: { name: string }) => name).sort()
  return { status: statusCode, body, ...answer, names }
}
async function end(user: TestUser, name: string) {
  const { items } = await list(superAdmin)
  const { id, kind } = items.find((one: { name: string }) => one.name === name)
  const url = `/api/v1/admin/outside-access/${kind === 'webhook' ? 'webhooks' : 'keys'}/${id}`
  const { statusCode } = await app.http.inject({ method: 'DELETE', url, headers: user.headers })
  return statusCode
}

describe('the outside access of a company', () => {
  it('lists keys, programs and webhooks of the own people with owner, company and last use', async () => {
    const { names, counts, items } = await list(companyAdmin)
    expect(names).toEqual(['Claude', 'Desk', 'Nightly', 'Own'])
    expect(counts).toEqual({ key: 1, embed: 0, program: 1, webhook: 2 })
    const one = items.find(({ name }: { name: string }) => name === 'Nightly')
    expect(one).toMatchObject({
      ...{ kind: 'key', detail: 'atr_Nightly', owner: { id: member.id, name: 'hugo' }, state: 'active' },
      ...{ last_used_at: '2026-11-20T10:00:00.000Z', companies: [expect.any(String)] },
    })
    expect((await list(superAdmin)).names).toEqual(expect.arrayContaining(['Elsewhere', 'Root', 'Desk']))
  })

  it('shows the site of a webhook, never its path', async () => {
    const { items, body } = await list(companyAdmin, '?kind=webhook')
    expect(items[0].detail).toBe('https://hooks.test')
    expect(body).not.toContain('secret-path')
  })

  it('filters by kind, searches owners and paginates', async () => {
    expect((await list(companyAdmin, '?kind=program')).names).toEqual(['Claude'])
    expect((await list(superAdmin, '?q=HUGO%20night')).names).toEqual(['Nightly'])
    const first = await list(companyAdmin, '?limit=3')
    expect([first.items.length, first.total, first.has_more]).toEqual([3, 4, true])
    expect((await list(companyAdmin, '?limit=3&page=2')).items).toHaveLength(1)
  })

  it('is closed to members', async () => {
    expect((await list(member)).status).toBe(403)
  })
})

describe('ending outside access', () => {
  it('refuses that of other companies and of super admins', async () => {
    expect(await end(companyAdmin, 'Elsewhere')).toBe(403)
    await sql`insert into company_members (company_id, user_id, role) values (${companyId}, ${superAdmin.id}, 'member')`.execute(
      app.deps.db,
    )
    expect(await end(companyAdmin, 'Root')).toBe(403)
    expect((await list(superAdmin)).names).toEqual(expect.arrayContaining(['Elsewhere', 'Root']))
  })

  it('revokes keys and programs, deletes webhooks, and audits each with its owner', async () => {
    for (const name of ['Nightly', 'Claude', 'Desk', 'Own']) expect(await end(companyAdmin, name)).toBe(204)
    expect((await list(companyAdmin, '?q=hugo')).names).toEqual([])
    const { rows } = await sql<{ did: string; subject: string; company_id: string }>`
      select did, subject, company_id from audit_entries where did in ('key.revoked', 'webhook.removed')
      order by id`.execute(app.deps.db)
    expect(rows).toEqual([
      { did: 'key.revoked', subject: 'hugo: Nightly', company_id: companyId },
      { did: 'key.revoked', subject: 'hugo: Claude', company_id: companyId },
      { did: 'webhook.removed', subject: 'Desk', company_id: companyId },
      { did: 'webhook.removed', subject: 'hugo: Own', company_id: companyId },
    ])
  })

  it('refuses that of people who also belong to another company, except by super admins', async () => {
    const shared = await aUser(app, { role: 'member' })
    await aUser(app, { role: 'member', companyId: await companyOf(shared) })
    await sql`insert into company_members (company_id, user_id, role) values (${companyId}, ${shared.id}, 'member')`.execute(
      app.deps.db,
    )
    await key(shared, 'Shared', 'key')
    await webhook({ user_id: shared.id }, 'Shared hook')
    for (const name of ['Shared', 'Shared hook']) {
      expect(await end(companyAdmin, name)).toBe(403)
      expect(await end(superAdmin, name)).toBe(204)
    }
  })
})
