import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Attention } from '#shared/lifecycle/overview/overview.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { aDocument } from '#tests/stored-document.ts'

let app: TestApp
let superAdmin: TestUser
let companyAdmin: TestUser
let member: TestUser
let companyId: string
let otherId: string
beforeAll(async () => {
  app = await startApp({ jobs: false })
  superAdmin = await aUser(app, { role: 'super_admin' })
  companyAdmin = await aUser(app, { role: 'company_admin', username: 'clara' })
  companyId = await companyOf(companyAdmin)
  member = await aUser(app, { role: 'member', companyId })
  const other = await aUser(app, { role: 'member' })
  otherId = await companyOf(other)
})
afterAll(() => app.close())

async function companyOf({ id }: TestUser): Promise<string> {
  const { rows } = await sql<{ company_id: string }>`
    select company_id from company_members where user_id = ${id}`.execute(app.deps.db)
  return rows[0]!.company_id
}
async function read({ headers }: TestUser) {
  const response = await app.http.inject({ url: '/api/v1/admin/overview', headers })
  return { status: response.statusCode, ...response.json() }
}
const found = async (user: TestUser): Promise<Record<string, Omit<Attention, 'kind'>>> =>
  Object.fromEntries(((await read(user)).attention as Attention[]).map(({ kind, ...rest }) => [kind, rest]))
const run = (query: ReturnType<typeof sql>) => query.execute(app.deps.db)

describe('the overview of administrators', () => {
  it('lists budgets from 80 % of their amount, and spent ones apart [AD-07]', async () => {
    const budget = (id: string, spent: number, period: string) =>
      run(sql`insert into budgets (kind, company_id, period, amount, since, spent)
        values ('company', ${id}, ${period}, 10, period_start(${period}, clock_timestamp()), ${spent})`)
    await budget(companyId, 8, 'month')
    await budget(companyId, 7.9, 'day')
    await budget(otherId, 10, 'month')
    const { name } = (await run(sql`select name from companies where id = ${companyId}`)).rows[0] as never
    expect(await found(companyAdmin)).toMatchObject({ budgets_near: { count: 1, names: [name] } })
    expect(await found(companyAdmin)).not.toHaveProperty('budgets_spent')
    expect(await found(superAdmin)).toMatchObject({ budgets_near: { count: 1 }, budgets_spent: { count: 1 } })
  })

  it('ignores the spending of an earlier period', async () => {
    await run(sql`update budgets set since = since - 32, spent = 100 where period = 'day'`)
    expect((await found(companyAdmin)).budgets_spent).toBeUndefined()
  })

  it('lists webhooks that fail or were turned off, of the own company only', async () => {
    const webhook = (id: string, name: string, isOn: boolean) =>
      run(sql`insert into webhooks (company_id, name, url, events, secret, is_on, failing_since, gave_up_at)
        values (${id}, ${name}, 'https://a.test', '{run.failed}', 'x', ${isOn}, now(), ${isOn ? null : new Date()})`)
    await webhook(companyId, 'Desk', true)
    await webhook(otherId, 'Sales', true)
    await webhook(companyId, 'Old', false)
    const own = await found(companyAdmin)
    expect(own.webhooks_failing).toEqual({ count: 1, names: ['Desk'] })
    expect(own.webhooks_off).toEqual({ count: 1, names: ['Old'] })
    expect((await found(superAdmin)).webhooks_failing).toEqual({ count: 2, names: ['Desk', 'Sales'] })
  })

  it('lists failed documents of the last days and keys that end soon', async () => {
    await aDocument(app, member)
    const key = (name: string, days: number) =>
      run(sql`insert into access_keys (user_id, name, secret_hash, hint, expires_at)
        values (${member.id}, ${name}, ${Buffer.from(name)}, 'h', now() + make_interval(days => ${days}))`)
    await key('Nightly', 3)
    await key('Long', 300)
    await key('Gone', -1)
    const own = await found(companyAdmin)
    expect(own.documents_failed).toEqual({ count: 1, names: [] })
    expect(own.keys_ending).toEqual({ count: 1, names: [`Nightly · ${member.username}`] })
    await run(sql`update documents set updated_at = now() - interval '8 days'`)
    expect(await found(companyAdmin)).not.toHaveProperty('documents_failed')
  })

  it('lists administrators without a second step, MCP servers and directories in trouble', async () => {
    await run(sql`insert into scim_tokens (company_id, token_hash, created_at, refused, refused_at)
      values (${companyId}, 'x', now(), 'A change', now())`)
    await run(sql`with made as (insert into own_tool_sets (user_id, kind, name)
        values (${member.id}, 'mcp', 'Tickets') returning id),
      shared as (insert into own_tool_shares (set_id, company_id) select id, ${companyId}::uuid from made)
      insert into mcp_health (set_id, failed_at) select id, now() from made`)
    const own = await found(companyAdmin)
    expect(own.admins_without_second_step).toEqual({ count: 1, names: ['clara'] })
    expect(own.directories_refused?.count).toBe(1)
    expect(own.mcp_failing).toEqual({ count: 1, names: ['Tickets'] })
    await run(sql`insert into code_apps (user_id, secret, created_at, confirmed_at)
      values (${companyAdmin.id}, 'x', now(), now())`)
    expect(await found(companyAdmin)).not.toHaveProperty('admins_without_second_step')
  })

  it('tells super admins alone of untested mail, companies without an administrator and the process', async () => {
    const [all, own] = [await read(superAdmin), await read(companyAdmin)]
    const kinds = (answer: typeof all) => answer.attention.map(({ kind }: Attention) => kind)
    expect(kinds(all)).toEqual(expect.arrayContaining(['companies_without_admin', 'mail_untested']))
    expect(all.process).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
    expect(kinds(own)).not.toEqual(expect.arrayContaining(['mail_untested']))
    expect(own.process).toBeNull()
    await run(sql`insert into setup_steps (step, outcome, decided_at) values ('mail', 'done', now())`)
    expect(kinds(await read(superAdmin))).not.toContain('mail_untested')
  })

  it('shows each of the last 14 days with people, calls and dollars, for the own companies', async () => {
    const entry = (user: TestUser, amount: number) =>
      run(sql`insert into ledger_entries (user_id, kind, amount, model_name, input_tokens, output_tokens)
        values (${user.id}, 'usage', ${-amount}, 'm', 1, 1)`)
    await entry(member, 0.5)
    await entry(companyAdmin, 0.25)
    await entry(superAdmin, 4)
    const own = await read(companyAdmin)
    expect(own.days).toHaveLength(14)
    expect(own.days.at(-1)).toMatchObject({ people: 2, calls: 2, amount: 0.75 })
    expect(own).toMatchObject({ people: 2, month: 0.75, budget: 10, waiting: 0 })
    expect((await read(superAdmin)).days.at(-1)).toMatchObject({ people: 3, amount: 4.75 })
  })

  it('is closed to members', async () => {
    expect((await read(member)).status).toBe(403)
  })
})
