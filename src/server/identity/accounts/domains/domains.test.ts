import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { aDomain, aVerifiedDomain } from '#tests/company-domain.ts'
import { startDnsServer } from '#tests/dns-server.ts'
import { isVerifiedFor, verifiedCompanyOf } from './domains.ts'

let dns: Awaited<ReturnType<typeof startDnsServer>>
let app: TestApp
beforeAll(async () => {
  dns = await startDnsServer()
  app = await startApp({ config: { ATRIUM_DNS_SERVERS: dns.address } })
})
afterAll(async () => {
  await app.close()
  await dns.close()
})

let [house, other] = ['', '']
let superAdmin: TestUser
let admin: TestUser
let rival: TestUser
beforeEach(async () => {
  house = await aCompany(app)
  other = await aCompany(app)
  superAdmin = await aUser(app, { role: 'super_admin' })
  admin = await aUser(app, { role: 'company_admin', companyId: house })
  rival = await aUser(app, { role: 'company_admin', companyId: other })
})

async function call(who: TestUser, method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) {
  const answer = await app.http.inject({
    ...{ method, url: `/api/v1/admin/companies/${path}`, headers: who.headers },
    ...(payload ? { payload } : {}),
  })
  return { status: answer.statusCode, body: answer.payload ? answer.json() : null }
}
let n = 0
const aName = () => `house${++n}.test`
const add = (who: TestUser, companyId: string, domain: string) =>
  call(who, 'POST', `${companyId}/domains`, { domain })
const check = (who: TestUser, companyId: string, domain: string) =>
  call(who, 'POST', `${companyId}/domains/${domain}/check`)

describe('the domain of an email address', () => {
  it('belongs to the company that verified exactly this domain', async () => {
    const domain = await aVerifiedDomain(app, house)
    expect(await verifiedCompanyOf(app.deps.db, `Ann@${domain.toUpperCase()}`)).toBe(house)
    expect(await isVerifiedFor(app.deps.db, house, `ann@${domain}`)).toBe(true)
    expect(await isVerifiedFor(app.deps.db, other, `ann@${domain}`)).toBe(false)
    const lookAlikes = [`a@sub.${domain}`, `a@x${domain}`, domain, `a@${domain}@x.test`, `a@${domain}.`]
    for (const email of lookAlikes) expect(await verifiedCompanyOf(app.deps.db, email)).toBeNull()
  })

  it('belongs to no company while it is only claimed', async () => {
    const domain = await aDomain(app, house)
    expect(await verifiedCompanyOf(app.deps.db, `ann@${domain}`)).toBeNull()
  })
})

describe('a company admin', () => {
  it('verifies a domain by a DNS TXT record', async () => {
    const domain = aName()
    const added = await add(admin, house, ` ${domain.toUpperCase()} `)
    expect(added).toMatchObject({ status: 201, body: { domain, verified_at: null, verified_by: null } })
    const { record } = added.body
    expect(record.name).toBe(`_atrium.${domain}`)
    expect(record.value).toMatch(/^atrium-verification=\S{20,}$/)
    expect(await lastAudited(app, 'domain.added')).toMatchObject({ actor_id: admin.id, subject: domain })
    expect((await check(admin, house, domain)).body.problem).toBe('missing')
    dns.texts.set(record.name, ['v=spf1 -all', `${record.value}x`])
    expect((await check(admin, house, domain)).body).toMatchObject({
      problem: 'different',
      verified_at: null,
    })
    expect(await verifiedCompanyOf(app.deps.db, `a@${domain}`)).toBeNull()
    dns.texts.set(record.name, ['v=spf1 -all', record.value])
    expect(await check(admin, house, domain)).toMatchObject({
      ...{ status: 200, body: { problem: null, verified_by: 'dns', verified_at: expect.any(String) } },
    })
    expect(await verifiedCompanyOf(app.deps.db, `a@${domain}`)).toBe(house)
    expect(await lastAudited(app, 'domain.verified')).toMatchObject({
      ...{ subject: domain, company_id: house, actor_id: admin.id },
    })
  })

  it('is informed when DNS does not respond', async () => {
    const domain = aName()
    await add(admin, house, domain)
    dns.silent.add(`_atrium.${domain}`)
    expect((await check(admin, house, domain)).body.problem).toBe('unreachable')
  })

  it("cannot verify a domain with another company's record", async () => {
    const domain = aName()
    const { record } = (await add(admin, house, domain)).body
    const theirs = (await add(rival, other, domain)).body.record
    expect(theirs.value).not.toBe(record.value)
    dns.texts.set(record.name, [record.value])
    expect((await check(rival, other, domain)).body.problem).toBe('different')
    dns.texts.set(record.name, [record.value, theirs.value])
    expect((await check(admin, house, domain)).body.problem).toBeNull()
    expect((await check(rival, other, domain)).status).toBe(409)
    expect(await verifiedCompanyOf(app.deps.db, `a@${domain}`)).toBe(house)
  })

  it('cannot verify public mail services or invalid names', async () => {
    for (const domain of ['gmail.com', 'Outlook.com', 'house', 'a@house.test', '*.house.test', ''])
      expect((await add(admin, house, domain)).status, domain).toBe(422)
    expect((await call(superAdmin, 'POST', `${house}/domains/gmail.com/confirm`)).status).toBe(404)
    expect((await call(admin, 'GET', `${house}/domains`)).body.items).toEqual([])
  })

  it("has no access to other companies' domains", async () => {
    const domain = await aDomain(app, house, aName())
    expect((await add(rival, house, aName())).status).toBe(403)
    expect((await check(rival, house, domain)).status).toBe(403)
    expect((await call(rival, 'DELETE', `${house}/domains/${domain}`)).status).toBe(403)
    expect((await call(rival, 'GET', `${house}/domains`)).status).toBe(403)
    expect((await call(rival, 'DELETE', `${other}/domains/${domain}`)).status).toBe(204)
    expect((await call(admin, 'GET', `${house}/domains`)).body.items).toHaveLength(1)
  })

  it('cannot confirm a domain without DNS', async () => {
    const domain = await aDomain(app, house, aName())
    expect((await call(admin, 'POST', `${house}/domains/${domain}/confirm`)).status).toBe(403)
  })

  it('can release a domain, and gets a new record on the next claim', async () => {
    const domain = aName()
    const first = (await add(admin, house, domain)).body.record
    expect((await add(admin, house, domain)).status).toBe(409)
    dns.texts.set(first.name, [first.value])
    await check(admin, house, domain)
    expect((await call(admin, 'DELETE', `${house}/domains/${domain}`)).status).toBe(204)
    expect(await lastAudited(app, 'domain.removed')).toMatchObject({ subject: domain, company_id: house })
    expect(await verifiedCompanyOf(app.deps.db, `a@${domain}`)).toBeNull()
    await add(admin, house, domain)
    expect((await check(admin, house, domain)).body.problem).toBe('different')
  })
})

it('can have a super admin confirm a domain without DNS and revoke it', async () => {
  const domain = await aDomain(app, house, aName())
  expect(await call(superAdmin, 'POST', `${house}/domains/${domain}/confirm`)).toMatchObject({
    ...{ status: 200, body: { verified_by: 'super_admin' } },
  })
  expect(await lastAudited(app, 'domain.verified')).toMatchObject({
    actor_id: superAdmin.id,
    subject: domain,
  })
  await aDomain(app, other, domain)
  expect((await call(superAdmin, 'POST', `${other}/domains/${domain}/confirm`)).status).toBe(409)
  await call(superAdmin, 'DELETE', `${house}/domains/${domain}`)
  expect((await call(superAdmin, 'POST', `${other}/domains/${domain}/confirm`)).status).toBe(200)
  expect(await verifiedCompanyOf(app.deps.db, `a@${domain}`)).toBe(other)
})
