import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { aDocument } from '#tests/stored-document.ts'

let app: TestApp
let superAdmin: TestUser
let first: { id: string; admin: TestUser; member: TestUser }
let second: typeof first
beforeAll(async () => {
  app = await startApp({ jobs: false })
  superAdmin = await aUser(app, { role: 'super_admin' })
})
afterAll(() => app.close())
beforeEach(async () => {
  first = await aCompany('Orsane UK')
  second = await aCompany('Orsane')
})

const run = async <Row = Record<string, unknown>>(query: ReturnType<typeof sql>): Promise<Row[]> =>
  (await query.execute(app.deps.db)).rows as Row[]

async function aCompany(name: string): Promise<typeof first> {
  const [made] = await run<{ id: string }>(sql`insert into companies (name) values (${name}) returning id`)
  const companyId = made!.id
  const admin = await aUser(app, { role: 'company_admin', companyId })
  return { id: companyId, admin, member: await aUser(app, { role: 'member', companyId }) }
}

async function call(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  payload?: object,
  user = superAdmin,
) {
  const url = `/api/v1/admin/${path}`
  const response = await app.http.inject({ method, url, headers: user.headers, ...(payload && { payload }) })
  return { status: response.statusCode, body: response.body ? response.json() : null }
}
const merge = (from: string, into: string) => call('POST', `companies/${from}/merge`, { into })
const rolesIn = (id: string) =>
  run<{ user_id: string; role: string }>(
    sql`select user_id, role from company_members where company_id = ${id}`,
  ).then((rows) => Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role])))
const audited = (did: string) =>
  run(sql`select subject, changes from audit_entries where did = ${did} order by id desc limit 1`)

describe('the list of companies', () => {
  it('shows people, administrators, spending and budget, and finds by name and verified domain', async () => {
    await run(sql`insert into company_domains (company_id, domain, token, verified_at, verified_by, created_at)
      values (${first.id}, 'orsane.co.uk', 't', now(), 'dns', now())`)
    await run(
      sql`insert into ledger_entries (user_id, kind, amount, model_name) values (${first.member.id}, 'usage', -1.5, 'm')`,
    )
    await run(sql`insert into budgets (kind, company_id, period, amount, since) values
      ('company', ${first.id}, 'month', 90, period_start('month', clock_timestamp()))`)
    const { body } = await call('GET', 'companies/figures?q=CO.UK')
    expect(body.items).toMatchObject([
      {
        id: first.id,
        people: 2,
        admins: 1,
        admin: first.admin.username,
        domains: ['orsane.co.uk'],
        spent: 1.5,
        budget: 90,
      },
    ])
    await run(sql`delete from company_domains`)
  })

  it('contains the own companies of a company admin only, page by page', async () => {
    const own = await call('GET', 'companies/figures', undefined, first.admin)
    expect(own.body.items.map(({ id }: { id: string }) => id)).toEqual([first.id])
    const page = await call('GET', 'companies/figures?limit=1&page=2')
    expect([page.body.items.length, page.body.has_more]).toEqual([1, true])
  })
})

describe('the limits of a company', () => {
  it('refuse another member, on every way in, until a super admin raises them', async () => {
    const bring = () =>
      call('PATCH', `users/${second.member.id}`, { membership: { company_id: first.id, role: 'member' } })
    expect(
      (await call('PUT', `companies/${first.id}/limits`, { max_people: 2, storage_mb: null })).status,
    ).toBe(200)
    const refused = await bring()
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'This company is full: it may have 2 people. A super admin can raise the limit.',
    ])
    const change = { membership: { company_id: first.id, role: 'member' } }
    expect((await call('PATCH', `users/${first.admin.id}`, change)).status).toBe(200)
    await call('PUT', `companies/${first.id}/limits`, { max_people: 3, storage_mb: null })
    expect((await bring()).status).toBe(200)
    expect(await audited('company.changed')).toMatchObject([
      { changes: [{ what: 'max_people', before: '2', after: '3' }] },
    ])
  })

  it('admit one of two people who join the last place together', async () => {
    await call('PUT', `companies/${first.id}/limits`, { max_people: 3, storage_mb: null })
    const bring = (user: TestUser) =>
      call('PATCH', `users/${user.id}`, { membership: { company_id: first.id, role: 'member' } })
    const statuses = (await Promise.all([bring(second.member), bring(second.admin)])).map(
      ({ status }) => status,
    )
    expect(statuses.sort()).toEqual([200, 409])
  })

  it('decide the storage per person, and the largest one counts', async () => {
    const limitOf = async () =>
      (await app.http.inject({ url: '/api/v1/documents/state', headers: first.member.headers })).json()
        .storage?.limit
    const before = await limitOf()
    await call('PUT', `companies/${first.id}/limits`, { max_people: null, storage_mb: 7 })
    expect(await limitOf()).toBe(7 * 1024 * 1024)
    await run(
      sql`insert into company_members (company_id, user_id) values (${second.id}, ${first.member.id})`,
    )
    await call('PUT', `companies/${second.id}/limits`, { max_people: null, storage_mb: 9 })
    expect(await limitOf()).toBe(9 * 1024 * 1024)
    expect(before).not.toBe(9 * 1024 * 1024)
  })

  it('are set by super admins only', async () => {
    const limits = { max_people: null, storage_mb: null }
    expect((await call('PUT', `companies/${first.id}/limits`, limits, first.admin)).status).toBe(403)
  })
})

describe('merging a company', () => {
  it('moves people as members, so that no one gains rights over the other company', async () => {
    await run(
      sql`insert into company_members (company_id, user_id, role) values (${first.id}, ${second.admin.id}, 'member')`,
    )
    expect((await merge(first.id, second.id)).status).toBe(204)
    expect(await rolesIn(second.id)).toEqual({
      ...{ [first.admin.id]: 'member', [first.member.id]: 'member' },
      ...{ [second.admin.id]: 'company_admin', [second.member.id]: 'member' },
    })
    expect(await run(sql`select from companies where id = ${first.id}`)).toHaveLength(0)
    expect(await audited('company.merged')).toMatchObject([
      {
        subject: 'Orsane UK',
        changes: [
          { what: 'company', before: 'Orsane UK', after: 'Orsane' },
          { what: 'people', before: null, after: '3' },
        ],
      },
    ])
  })

  it('moves groups with their members, also those of a directory, and keeps names apart', async () => {
    const group = async (id: string, name: string, user: TestUser) => {
      const [made] = await run<{ id: string }>(
        sql`insert into groups (company_id, name) values (${id}, ${name}) returning id`,
      )
      await run(
        sql`insert into group_members (group_id, company_id, user_id) values (${made!.id}, ${id}, ${user.id})`,
      )
    }
    await group(first.id, 'Sales', first.member)
    await group(second.id, 'sales', second.member)
    await run(
      sql`insert into scim_groups (company_id, display_name, created_at, updated_at) values (${first.id}, 'IT', now(), now())`,
    )
    await run(sql`insert into scim_group_members (group_id, user_id) select id, ${first.member.id} from scim_groups
      where company_id = ${first.id}`)
    await merge(first.id, second.id)
    const members = await run(sql`select g.name, g.from_directory, m.user_id from groups g
      join group_members m on m.group_id = g.id where g.company_id = ${second.id} order by g.name collate "C"`)
    expect(members).toEqual([
      { name: 'IT', from_directory: false, user_id: first.member.id },
      { name: 'Sales · Orsane UK', from_directory: false, user_id: first.member.id },
      { name: 'sales', from_directory: false, user_id: second.member.id },
    ])
  })

  it('gives neither webhooks nor invitations a way into the other company', async () => {
    await run(
      sql`insert into webhooks (company_id, name, url, events, secret) values (${first.id}, 'W', 'https://a.test', '{run.failed}', 'x')`,
    )
    for (const role of ['company_admin', 'super_admin'])
      await run(sql`insert into invitations (company_id, role, created_at, expires_at)
        values (${first.id}, ${role}, now(), now() + interval '1 day')`)
    await merge(first.id, second.id)
    const found = await run(sql`select is_on, (select array_agg(role order by role) from invitations i
      where i.company_id = w.company_id) as roles from webhooks w where company_id = ${second.id}`)
    expect(found).toEqual([{ is_on: false, roles: ['member', 'super_admin'] }])
  })

  it('moves shared documents, assistants, tools, webhooks, announcements and spending', async () => {
    const { documentId } = await aDocument(app, first.member)
    await run(sql`update documents set company_id = ${first.id} where id = ${documentId}`)
    await run(sql`with a as (insert into assistants (user_id, name) values (${first.member.id}, 'A') returning id)
      insert into assistant_shares (assistant_id, company_id, access) select a.id, s.company_id, s.access from a,
        (values (${first.id}::uuid, 'edit'), (${second.id}::uuid, 'use')) s (company_id, access)`)
    await run(sql`with s as (insert into own_tool_sets (user_id, kind, name) values (${first.member.id}, 'api', 'S') returning id)
      insert into own_tool_shares (set_id, company_id) select id, ${first.id} from s`)
    await run(
      sql`insert into webhooks (company_id, name, url, events, secret) values (${first.id}, 'W', 'https://a.test', '{run.failed}', 'x')`,
    )
    await run(
      sql`insert into ledger_entries (user_id, kind, amount, model_name) values (${first.member.id}, 'usage', -2, 'm')`,
    )
    await run(sql`insert into budgets (kind, company_id, period, amount, since, spent) values
      ('company', ${second.id}, 'month', 90, period_start('month', clock_timestamp()), 1)`)
    await run(sql`insert into announcements (tone, text_en, company_ids, starts_at, ends_at, author_name, created_at)
      values ('news', 'Hello', array[${first.id}::uuid], now(), now(), 'Ada', now())`)
    await merge(first.id, second.id)
    const [counts] = await run(sql`select
      (select count(*)::int from documents where company_id = ${second.id}) as documents,
      (select string_agg(access, ',') from assistant_shares where company_id = ${second.id}) as assistants,
      (select count(*)::int from own_tool_shares where company_id = ${second.id}) as tools,
      (select count(*)::int from announcements where company_ids = array[${second.id}::uuid]) as announcements,
      (select count(*)::int from webhooks where company_id = ${second.id}) as webhooks,
      (select sum(amount)::float8 from usage_days where company_id = ${second.id}) as used,
      (select spent::float8 from budgets where company_id = ${second.id}) as spent`)
    expect(counts).toEqual({
      documents: 1,
      assistants: 'edit',
      tools: 1,
      webhooks: 1,
      announcements: 1,
      used: 2,
      spent: 3,
    })
  })

  it('still replaces the personal details that it replaced', async () => {
    await run(sql`insert into company_masking (company_id, mode, kinds, connections)
      values (${first.id}, 'on', '{person,iban}', '{"a": true}')`)
    await merge(first.id, second.id)
    const [kept] = await run(
      sql`select mode, kinds, connections from company_masking where company_id = ${second.id}`,
    )
    expect(kept).toEqual({ mode: 'on', kinds: ['person', 'iban'], connections: { a: true } })
  })

  it('drops its rules for groups of sign-on providers, and keeps those of others', async () => {
    const rule = (company_id: string) => ({ group: 'Staff', company_id, role: 'company_admin' })
    await run(sql`delete from sign_on_providers`)
    await run(sql`insert into sign_on_providers (id, name, is_enabled, trusts_addresses, settings, rules)
      values ('oidc-merging1', 'SSO', true, false, '{}', ${JSON.stringify([rule(first.id), rule(second.id)])})`)
    await merge(first.id, second.id)
    const [kept] = await run(sql`select rules from sign_on_providers`)
    expect(kept).toEqual({ rules: [rule(second.id)] })
    await run(sql`delete from sign_on_providers`)
  })

  it('changes nothing when the other company is full or missing', async () => {
    await call('PUT', `companies/${second.id}/limits`, { max_people: 3, storage_mb: null })
    expect((await merge(first.id, second.id)).status).toBe(409)
    expect((await merge(first.id, crypto.randomUUID())).status).toBe(404)
    expect((await merge(first.id, first.id)).status).toBe(409)
    expect(Object.keys(await rolesIn(first.id))).toHaveLength(2)
  })
})

describe('deleting a company', () => {
  it('counts first what depends on it', async () => {
    await run(
      sql`insert into company_members (company_id, user_id) values (${second.id}, ${first.member.id})`,
    )
    await run(sql`insert into groups (company_id, name) values (${first.id}, 'Sales')`)
    const { body } = await call('GET', `companies/${first.id}/consequences`)
    expect(body).toMatchObject({ people: 2, alone: 1, admins: 1, groups: 1, has_directory: false })
  })

  it('keeps accounts and their documents', async () => {
    const { documentId } = await aDocument(app, first.member)
    await run(sql`update documents set company_id = ${first.id} where id = ${documentId}`)
    expect((await call('DELETE', `companies/${first.id}`, { name: 'Orsane UK' })).status).toBe(204)
    expect(await run(sql`select company_id from documents where id = ${documentId}`)).toEqual([
      { company_id: null },
    ])
    expect(
      await run(sql`select from users where id = ${first.member.id} and deactivated_at is null`),
    ).toHaveLength(1)
    expect(await audited('company.deleted')).toMatchObject([
      {
        subject: 'Orsane UK',
        changes: [
          { what: 'people', before: '2', after: null },
          { what: 'alone', before: '2', after: null },
        ],
      },
    ])
  })

  it('refuses another name than that of the company', async () => {
    expect((await call('DELETE', `companies/${first.id}`, { name: 'Orsane' })).status).toBe(409)
    expect(Object.keys(await rolesIn(first.id))).toHaveLength(2)
  })

  it('refuses the company of the last super admin', async () => {
    const [own] = await run<{ company_id: string }>(
      sql`select company_id from company_members where user_id = ${superAdmin.id}`,
    )
    const [{ name }] = (await run<{ name: string }>(
      sql`select name from companies where id = ${own!.company_id}`,
    )) as [{ name: string }]
    const refused = await call('DELETE', `companies/${own!.company_id}`, { name })
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('last super admin')])
    expect((await merge(own!.company_id, second.id)).status).toBe(204)
    expect(await rolesIn(second.id)).toMatchObject({ [superAdmin.id]: 'super_admin' })
  })
})
