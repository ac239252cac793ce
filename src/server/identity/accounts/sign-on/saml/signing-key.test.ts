import { verify, X509Certificate } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { aSamlProvider } from '#tests/saml-provider.ts'

let idp: Awaited<ReturnType<typeof aSamlProvider>>
let app: TestApp
let root: TestUser
beforeAll(async () => {
  idp = await aSamlProvider()
  app = await startApp({ config: { SAML_METADATA: idp.metadata } })
  root = await aUser(app, { role: 'super_admin' })
})
afterAll(async () => {
  await app.close()
  idp.close()
})

const certificatesIn = async () => {
  const { payload } = await app.http.inject('/api/v1/login/saml/metadata')
  return [...payload.matchAll(/<X509Certificate>([^<]+)</g)].map(
    ([, text]) => new X509Certificate(Buffer.from(text!, 'base64')),
  )
}
const change = async (action: string) => {
  const url = '/api/v1/admin/sign-on/signing-key'
  const answer = await app.http.inject({ method: 'POST', url, headers: root.headers, payload: { action } })
  return { status: answer.statusCode, body: answer.json() }
}

/** Returns whether a sign-on's request is signed with the key of this certificate (SAML bindings 2.0, 3.4.4.1). */
async function isSignedBy(certificate: X509Certificate | undefined): Promise<boolean> {
  const { headers } = await app.http.inject('/api/v1/login/saml')
  const [signed = '', signature = ''] = new URL(String(headers.location)).search.slice(1).split('&Signature=')
  expect(signed).toContain(
    `SigAlg=${encodeURIComponent('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')}`,
  )
  const bytes = Buffer.from(decodeURIComponent(signature), 'base64')
  return certificate !== undefined && verify('sha256', Buffer.from(signed), certificate.publicKey, bytes)
}

describe('the key that signs SAML requests', () => {
  it('signs each request, and the metadata carry its certificate [SN-02]', async () => {
    const [certificate, ...others] = await certificatesIn()
    expect(others).toEqual([])
    expect(await isSignedBy(certificate)).toBe(true)
    const row = await app.deps.db.selectFrom('saml_keys').selectAll().executeTakeFirstOrThrow()
    expect(row.key_sealed).not.toContain('PRIVATE KEY')
  })

  it('is created once, in one thread, for concurrent anonymous requests', async () => {
    await app.deps.db.deleteFrom('saml_keys').execute()
    let threads = 0
    const count = () => {
      threads += 1
    }
    subscribe('worker_threads', count)
    const answers = await Promise.all(Array.from({ length: 12 }, certificatesIn))
    unsubscribe('worker_threads', count)
    expect(threads).toBe(1)
    expect(new Set(answers.map(([one]) => one?.fingerprint256)).size).toBe(1)
    expect(answers[0]).toHaveLength(1)
  })

  it('can be replaced after its seal was lost', async () => {
    const [old] = await certificatesIn()
    await app.deps.db.updateTable('saml_keys').set({ key_sealed: 'v1.x' }).execute()
    expect((await certificatesIn())[0]?.fingerprint256).toBe(old!.fingerprint256)
    await change('prepare')
    expect((await change('switch')).status).toBe(200)
    expect(await isSignedBy((await certificatesIn())[0])).toBe(true)
  })

  it('is replaced in two steps: both certificates are shown before the next key signs [SN-02]', async () => {
    const [old] = await certificatesIn()
    expect((await change('switch')).status).toBe(409)
    expect((await change('prepare')).body.certificates).toMatchObject([
      { place: 'current', fingerprint: old!.fingerprint256 },
      { place: 'next' },
    ])
    expect((await change('prepare')).status).toBe(409)
    const [current, next] = await certificatesIn()
    expect(current!.fingerprint256).toBe(old!.fingerprint256)
    expect(await isSignedBy(old)).toBe(true)
    expect((await change('switch')).status).toBe(200)
    expect((await certificatesIn()).map(({ fingerprint256 }) => fingerprint256)).toEqual([
      next!.fingerprint256,
    ])
    expect(await isSignedBy(next)).toBe(true)
    expect(await lastAudited(app, 'sign_on.key_changed')).toMatchObject({
      changes: [{ what: 'key', before: null, after: 'switch' }],
    })
  })
})
