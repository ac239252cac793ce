import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { startScriptedSignOn } from '#tests/scripted-sign-on.ts'
import { guardedFetch } from '../../../platform/outbound/guarded-fetch.ts'
import { createIssuer } from './openid.ts'

let server: Awaited<ReturnType<typeof startScriptedSignOn>>
let app: TestApp
beforeAll(async () => {
  server = await startScriptedSignOn()
  app = await startApp()
})
afterAll(async () => {
  await app.close()
  server.close()
})

const CALLBACK = 'http://atrium.test/callback'
const overage = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://g.test' } } }

/** Signs somebody on and returns their groups, and the scopes asked for. */
async function signOn(graph: string | undefined, pages: Record<string, unknown>, claims: object = overage) {
  server.says({ claims: { email: 'a@b.test', ...claims }, pages })
  const fetch = guardedFetch(app.deps.outbound, [server.url], 5)
  const client = { issuer: server.url, id: 'atrium', authenticate: 'secret', fetch }
  const service = createIssuer(client, 'openid email', 'groups', { graph })
  const attempt = { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43) }
  const visit = await service.begin(attempt, CALLBACK)
  const answer = await globalThis.fetch(visit, { redirect: 'manual' })
  const { groups } = await service.finish(attempt, new URL(answer.headers.get('location') ?? ''))
  return { groups, scope: visit.searchParams.get('scope') }
}
const path = '/v1.0/me/getMemberObjects'

describe('groups that Entra leaves out of its tokens', () => {
  it('are asked of Microsoft Graph with the token of the person', async () => {
    const pages = { [path]: { value: ['3f1c', '77aa'] } }
    const { groups, scope } = await signOn(server.url, pages)
    expect(groups).toEqual(['3f1c', '77aa'])
    expect(scope).toBe('openid email https://graph.microsoft.com/GroupMember.Read.All')
  })

  it.each<[string, Record<string, unknown>]>([
    ['Graph refuses', {}],
    ['Graph answers something else', { [path]: { value: 'all' } }],
    ['Graph names more than are read', { [path]: { value: Array.from({ length: 1_001 }, String) } }],
  ])('stay unknown when %s, so that roles stay', async (_, pages) => {
    expect((await signOn(server.url, pages)).groups).toBe('too_many')
  })

  it('are not asked for without the setting, nor when the token names them', async () => {
    server.asked.length = 0
    expect((await signOn(undefined, {})).groups).toBe('too_many')
    expect((await signOn(server.url, {}, { groups: ['x'] })).groups).toEqual(['x'])
    expect(server.asked.filter((one) => one.path === path)).toEqual([])
  })
})
