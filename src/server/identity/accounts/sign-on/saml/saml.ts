import { createHash, randomUUID } from 'node:crypto'
import type { CacheProvider, Profile, SAML } from '@node-saml/node-saml'
import * as z from 'zod'
import type { SamlSettings } from '#shared/identity/accounts/sign-on-providers.ts'
import { parseJson } from '../../../../platform/outbound/foreign/foreign.ts'
import type { Platform } from '../../../../platform/platform.ts'
import { type Claims, readGroups, type SignOnService, textOf } from '../sign-on-service.ts'
import { assertConfirmed, assertPlain } from './confirm-assertion.ts'
import { entityIdOf } from './describe-atrium.ts'
import type { IdentityProvider } from './read-metadata.ts'
import { fetchAnswer, keepAnswer, takeAssertion } from './saml-store.ts'
import type { KeyPair } from './self-signed.ts'
import { assertModernSignatures } from './signature-algorithms.ts'
import { readSigningKey } from './signing-key.ts'

type Deps = Pick<Platform, 'config' | 'db' | 'clock' | 'publicUrl' | 'secrets'>
/** An identity provider with its settings. `read` loads its metadata. */
export type SamlProvider = {
  id: string
  settings: Omit<SamlSettings, 'kind' | 'metadata'>
  read: () => Promise<IdentityProvider>
}

/** Parts of the assertion that a request to sign out repeats (SAML 2.0 core, 3.7.1). */
const NamedSession = z.object({
  issuer: z.string(),
  nameID: z.string(),
  nameIDFormat: z.string().default('urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'),
  ...{ nameQualifier: z.string().optional(), spNameQualifier: z.string().optional() },
  sessionIndex: z.string().optional(),
})

/** Cache time of metadata; certificates may change. */
const metadataMs = 60 * 60_000
const skewMs = 60_000
/** Alternative attribute names, used when the settings name none. */
const emailNames = [
  'mail',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
]
const nameNames = [
  'name',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
  'urn:oid:2.16.840.1.113730.3.1.241',
]

/**
 * Creates a SAML 2.0 sign-on: redirect to the service, response by form. Only the signed assertion is read. A response is valid only
 * for a request of this browser, so unsolicited responses are refused.
 */
export function createSaml(deps: Deps, { id: providerId, settings, read }: SamlProvider): SignOnService {
  const provider = cacheMetadata(read, deps.clock)
  const speak = async (idp: IdentityProvider, callback: string, requestId: string) =>
    createSpeaker(await readSigningKey(deps), entityIdOf(deps, providerId), idp, callback, requestId)
  return {
    async begin({ state }, callback) {
      const saml = await speak(await provider(), callback, requestIdOf(state))
      return new URL(await saml.getAuthorizeUrlAsync(state, undefined, {}))
    },
    async receive({ SAMLResponse = '', RelayState = '' }, callback) {
      const requestId = requestIdOf(RelayState)
      const idp = await provider()
      assertPlain(SAMLResponse)
      assertModernSignatures(SAMLResponse, { allowsSha1: settings.accepts_sha1 })
      const saml = await speak(idp, callback, requestId)
      const { profile } = await saml.validatePostResponseAsync({ SAMLResponse })
      const { id, until } = assertConfirmed(profile, { ...idp, callback, requestId, now: deps.clock.now() })
      if (!(await takeAssertion(deps, `${idp.issuer} ${id}`, new Date(until.getTime() + skewMs))))
        throw new Error('The SAML assertion was used before.')
      const hint = settings.signs_out ? { hint: JSON.stringify(NamedSession.parse(profile)) } : {}
      const claims = { ...claimsOf(profile!, idp.issuer, settings), ...hint }
      return { state: RelayState, code: await keepAnswer(deps, requestId, claims) }
    },
    async finish({ state }, callback) {
      const code = callback.searchParams.get('code') ?? ''
      const claims = await fetchAnswer(deps, requestIdOf(state), code)
      if (!claims) throw new Error('The SAML answer does not belong to this visit.')
      return claims
    },
    ...(settings.signs_out && {
      signOut: async (hint: string) => {
        const idp = await provider()
        if (!idp.logoutPoint) return null
        // The library asks for an address of answers, which this request has not.
        const saml = await speak(idp, idp.logoutPoint, `_${randomUUID()}`)
        return new URL(await saml.getLogoutUrlAsync(NamedSession.parse(parseJson(hint)) as Profile, '', {}))
      },
    }),
    check: async () => {
      await provider()
    },
  }
}

async function createSpeaker(
  { key }: KeyPair,
  entityId: string,
  { issuer, entryPoint, logoutPoint, certificates }: IdentityProvider,
  callbackUrl: string,
  requestId: string,
): Promise<SAML> {
  const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml')
  return new SAML({
    ...{ issuer: entityId, audience: entityId, callbackUrl },
    ...{ privateKey: key, signatureAlgorithm: 'sha256', digestAlgorithm: 'sha256' },
    ...{ idpIssuer: issuer, entryPoint, idpCert: certificates },
    ...(logoutPoint !== null && { logoutUrl: logoutPoint }),
    ...{ wantAssertionsSigned: true, wantAuthnResponseSigned: false },
    ...{ identifierFormat: null, disableRequestedAuthnContext: true, acceptedClockSkewMs: skewMs },
    validateInResponseTo: ValidateInResponseTo.always,
    generateUniqueId: () => requestId,
    cacheProvider: onlyRequest(requestId),
  })
}

/** Validates the request id, which is derived from the state and therefore not stored. */
function onlyRequest(requestId: string): CacheProvider {
  return {
    saveAsync: async () => null,
    getAsync: async (key) => (key === requestId ? new Date().toISOString() : null),
    removeAsync: async () => null,
  }
}

function requestIdOf(state: string): string {
  return `_${createHash('sha256').update(state).digest('hex')}`
}

function cacheMetadata(read: SamlProvider['read'], clock: Deps['clock']): () => Promise<IdentityProvider> {
  let found: { at: number; provider: Promise<IdentityProvider> } | undefined
  return () => {
    const now = clock.now().getTime()
    if (!found || now - found.at > metadataMs) {
      const provider = read().catch((error) => {
        found = undefined
        throw error
      })
      found = { at: now, provider }
    }
    return found.provider
  }
}

/** @throws when the name of the person is another one each time */
function claimsOf(profile: Profile, issuer: string, settings: SamlProvider['settings']): Claims {
  if (profile.nameIDFormat?.endsWith(':transient') || !textOf(profile.nameID))
    throw new Error('The SAML service gives people no lasting NameID. Set it to persistent or emailAddress.')
  const attributes = new Map(Object.entries((profile.attributes ?? {}) as Record<string, unknown>))
  const firstOf = (names: string[]) => names.map((name) => textOf(attributes.get(name))).find(Boolean) ?? null
  const isEmail = profile.nameIDFormat?.endsWith(':emailAddress')
  return {
    subject: `${issuer} ${profile.nameID}`,
    email: firstOf([settings.email_attribute, ...emailNames]) ?? (isEmail ? textOf(profile.nameID) : null),
    emailVerified: false,
    isOfHouse: true,
    name: firstOf([settings.name_attribute, ...nameNames]),
    locale: null,
    groups: readGroups(groupsIn(profile, attributes, settings.groups_attribute), attributes.has(GROUPS_LINK)),
  }
}

/** Entra sends this instead of the groups when there are more than 150. */
const GROUPS_LINK = 'http://schemas.microsoft.com/claims/groups.link'

/** Returns the values of an attribute, undefined without it. The library drops attributes without values. */
function groupsIn(profile: Profile, attributes: Map<string, unknown>, name: string): unknown {
  const xml = profile.getAssertionXml?.() ?? ''
  const isNamed = Array.from(xml.matchAll(/\sName=["']([^"']*)["']/g)).some(([, found]) => found === name)
  return attributes.get(name) ?? (isNamed ? [] : undefined)
}
