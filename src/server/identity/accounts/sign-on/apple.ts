import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ClientAuth } from 'openid-client'
import { tryJson } from '../../../platform/outbound/foreign/foreign.ts'
import { claimsOf, createOpenId, describeIssuer } from './openid.ts'
import { type SignOnService, textOf } from './sign-on-service.ts'

type App = { clientId: string; teamId: string; keyId: string; issuer: string; key: string }

const lifeSeconds = 5 * 60

/** Creates Apple's sign-on. It signs a new client secret each time and gets a form post, with the name only the first time. */
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

/** Signs a client secret (JWT, ES256) as Apple requires. */
async function signSecret({ clientId, teamId, keyId, issuer, key }: App): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const head = { alg: 'ES256', kid: keyId }
  const claims = { iss: teamId, iat: now, exp: now + lifeSeconds, aud: issuer, sub: clientId }
  const said = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signature = sign('sha256', Buffer.from(said), { key: await readKey(key), dsaEncoding: 'ieee-p1363' })
  return `${said}.${signature.toString('base64url')}`
}

/** Reads the key: inline, possibly with `\n` for line breaks, or from a file path. */
async function readKey(given: string): Promise<KeyObject> {
  const text = given.startsWith('-----BEGIN')
    ? given.replaceAll(String.raw`\n`, '\n')
    : await readFile(given, 'utf8')
  return createPrivateKey(text)
}

/** Returns the name, which is unsigned and therefore only displayed. */
function nameIn(user: string | null): string | null {
  const { name } = Object(tryJson(user ?? '{}'))
  const { firstName, lastName } = Object(name)
  return [textOf(firstName), textOf(lastName)].filter(Boolean).join(' ') || null
}
