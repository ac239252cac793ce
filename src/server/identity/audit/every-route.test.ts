import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '#shared/platform/http.ts'
import { ask, nameOf } from '#tests/access/ask.ts'
import { audited } from '#tests/access/audited.ts'
import { calls } from '#tests/access/calls.ts'
import { carriedBy, fillHouse } from '#tests/access/people.ts'
import { someThings } from '#tests/access/things.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { features } from '../../features.ts'

let app: TestApp
let url: string
let house: Awaited<ReturnType<typeof fillHouse>>
let routes: Route[] = []
beforeAll(async () => {
  app = await startApp({
    features: [
      ...features,
      (server) => {
        routes = server.routes
      },
    ],
  })
  url = await app.listen()
  house = await fillHouse(app)
})
afterAll(() => app.close())

/** Calls a route with sufficient rights and returns its audit entries. */
async function written(route: Route): Promise<string[]> {
  const { db } = app.deps
  const isOfAdmins = route.access === 'admin' || route.access === 'super_admin'
  const hasVectors = route.path.startsWith('/vector_db')
  const did = new Set<string>()
  for (const call of calls[nameOf(route)] ?? []) {
    // The numbers of keys and of schedules per user are limited.
    await sql`update access_keys set revoked_at = now() where revoked_at is null`.execute(db)
    await sql`delete from schedules`.execute(db)
    const things = await someThings(app, { ...house, isShared: false, hasVectors })
    const carried = await carriedBy(app, house, isOfAdmins ? 'super admin' : 'owner')
    const { rows: before } = await sql<{ id: string }>`
      select coalesce(max(id), 0) as id from audit_entries`.execute(db)
    const { status, text } = await ask(route, call, things, url, carried)
    expect(status, `${nameOf(route)} ${text}`).toBeLessThan(500)
    const { rows } = await sql<{ did: string }>`
      select did from audit_entries where id > ${before[0]?.id ?? 0}`.execute(db)
    for (const row of rows) did.add(row.did)
  }
  return [...did].sort()
}

describe('the audit log', () => {
  it('documents for every writing route what it records, or why nothing [AD-10]', {
    timeout: 300_000,
  }, async () => {
    const writing = routes.filter(({ method }) => method !== 'GET')
    expect(Object.keys(audited).sort()).toEqual(writing.map(nameOf).sort())
    const found: Record<string, string[]> = {}
    const wanted: Record<string, string[]> = {}
    for (const route of writing) {
      const said = audited[nameOf(route)]
      found[nameOf(route)] = await written(route)
      // An earlier call may by chance have prepared what this one needs.
      const isAble = said && 'did' in said && (!('needs' in said) || found[nameOf(route)]?.length !== 0)
      wanted[nameOf(route)] = isAble ? said.did : []
      const did = said && 'did' in said ? said.did : []
      // An optional part of a plain call can also be present by chance.
      wanted[nameOf(route)] =
        said && 'needs' in said ? did.filter((one) => found[nameOf(route)]?.includes(one)) : did
    }
    expect(found).toEqual(wanted)
  })
})
