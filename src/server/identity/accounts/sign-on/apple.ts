import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ClientAuth } from 'openid-client'
import { tryJson } from '../../../platform/outbound/foreign/foreign.ts'
import { claimsOf, createOpenId, describeIssuer } from './openid.ts'
import { type SignOnService, textOf } from './sign-on-service.ts'

type App = { clientId: string; teamId: string; keyId: string; issuer: string; key: string }

const lifeSeconds = 5 * 60

/** Apple's sign-on: the secret is signed anew each time, and the answer comes as a form, with the name the first time only. */
export function createApple(app: App): SignOnService {
  const authenticate: ClientAuth = async (_, client, body) => {
    body.set('client_id', client.client_id)
    body.set('client_secret', await signSecret(app))
  }
  const describe = describeIssuer({ issuer: app.issuer, id: app.clientId, authenticate })
  const service = createOpenId({
    configuration: describe,
    scope: 'openid email name',
    parameters: { response_mode: 'form_post' },
    toClaims: (said, callback) => ({ ...claimsOf(said), name: nameIn(callback.searchParams.get('user')) }),
  })
  return {
    ...service,
    check: async () => {
      await signSecret(app)
      await service.check()
    },
  }
}

/** A token of Apple's own kind (JWT, ES256) in place of a secret. */
async function signSecret({ clientId, teamId, keyId, issuer, key }: App): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const head = { alg: 'ES256', kid: keyId }
  const claims = { iss: teamId, iat: now, exp: now + lifeSeconds, aud: issuer, sub: clientId }
  const said = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signature = sign('sha256', Buffer.from(said), { key: await readKey(key), dsaEncoding: 'ieee-p1363' })
  return `${said}.${signature.toString('base64url')}`
}

/** The key itself, its line ends perhaps written as `\n`, or the path of its file. */
async function readKey(given: string): Promise<KeyObject> {
  const text = given.startsWith('-----BEGIN')
    ? given.replaceAll(String.raw`\n`, '\n')
    : await readFile(given, 'utf8')
  return createPrivateKey(text)
}

/** The name is not signed, so it is only ever shown. */
function nameIn(user: string | null): string | null {
  const { name } = Object(tryJson(user ?? '{}'))
  const { firstName, lastName } = Object(name)
  return [textOf(firstName), textOf(lastName)].filter(Boolean).join(' ') || null
}
