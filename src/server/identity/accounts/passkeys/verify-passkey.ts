import type { FastifyRequest } from 'fastify'
import type { addPasskey, signInWithPasskey } from '#shared/identity/accounts/passkeys.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Call } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { hashSecret, newSecret } from '../tokens/access-token-store.ts'
import { findCredential, findPasskeys, insertChallenge, noteUse, takeChallenge } from './passkey-store.ts'

type Deps = Pick<Platform, 'db' | 'clock'>
type Person = { id: string; email: string; full_name: string | null }
/** The browser's site, which a signature must name. */
export type Site = { origin: string; rpId: string }

const challengeMs = 5 * 60_000
const load = () => import('@simplewebauthn/server')

/** Returns the site of passkeys: the configured public address, else the one of this request. */
export function siteOf({ config }: Pick<Platform, 'config'>, request: FastifyRequest): Site {
  const { origin, hostname } = new URL(config.publicUrl ?? `${request.protocol}://${request.host}`)
  return { origin, rpId: hostname }
}

/** Returns options for creating a discoverable passkey. */
export async function askForNew(deps: Deps, { rpId }: Site, { id, email, full_name }: Person) {
  const { generateRegistrationOptions } = await load()
  const known = await findPasskeys(deps.db, id)
  const options = await generateRegistrationOptions({
    rpName: 'Atrium',
    rpID: rpId,
    userName: email,
    userDisplayName: full_name ?? email,
    userID: Uint8Array.from(Buffer.from(id.replaceAll('-', ''), 'hex')),
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  return { options: { ...options }, challenge: await keep(deps, options.challenge, id) }
}

/** @throws AppError `token_invalid`, `invalid` */
export async function checkNew(
  deps: Deps,
  { origin, rpId }: Site,
  userId: string,
  { challenge, response }: Pick<Call<typeof addPasskey>['body'], 'challenge' | 'response'>,
) {
  const { verifyRegistrationResponse } = await load()
  const asked = await spend(deps, challenge)
  if (asked.user_id !== userId) throw tooLate()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: asked.challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: false,
  }).catch(() => ({ verified: false, registrationInfo: undefined }))
  if (!verified || !registrationInfo) throw unknownPasskey()
  const { id, publicKey, counter } = registrationInfo.credential
  return { credentialId: id, publicKey: Buffer.from(publicKey), counter }
}

/** Returns options for signing with a passkey: of this user, or of any user. */
export async function askToSign(deps: Deps, { rpId }: Site, userId: string | null) {
  const { generateAuthenticationOptions } = await load()
  const known = userId ? await findPasskeys(deps.db, userId) : []
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    // Without a user it replaces two factors: possession, and a fingerprint, face or PIN.
    userVerification: userId ? 'preferred' : 'required',
    allowCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
  })
  return { options: { ...options }, challenge: await keep(deps, options.challenge, userId) }
}

/**
 * Verifies a signature and returns the passkey's user. A signature is valid once.
 * @throws AppError `token_invalid`, `invalid` for an unknown passkey, a wrong signature or another user's passkey
 */
export async function checkSigned(
  deps: Deps,
  { origin, rpId }: Site,
  userId: string | null,
  { challenge, response }: Pick<Call<typeof signInWithPasskey>['body'], 'challenge' | 'response'>,
): Promise<string> {
  const { verifyAuthenticationResponse } = await load()
  const asked = await spend(deps, challenge)
  if (asked.user_id !== userId) throw tooLate()
  const found = await findCredential(deps.db, response.id)
  if (!found || (userId && found.user_id !== userId)) throw unknownPasskey()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: asked.challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: {
      id: found.credential_id,
      publicKey: Uint8Array.from(found.public_key),
      counter: found.counter,
    },
    requireUserVerification: userId === null,
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  if (!verified || !authenticationInfo) throw unknownPasskey()
  await noteUse(deps.db, found.id, authenticationInfo.newCounter, deps.clock.now())
  return found.user_id
}

async function keep({ db, clock }: Deps, challenge: string, userId: string | null): Promise<string> {
  const ticket = newSecret()
  const expires_at = new Date(clock.now().getTime() + challengeMs)
  await insertChallenge(db, { ticket_hash: hashSecret(ticket), challenge, user_id: userId, expires_at })
  return ticket
}

async function spend({ db, clock }: Deps, ticket: string) {
  const asked = await takeChallenge(db, hashSecret(ticket), clock.now())
  if (asked) return asked
  throw tooLate()
}

const tooLate = () => new AppError('token_invalid', 'This took too long. Begin again.')
export const unknownPasskey = () =>
  new AppError('invalid', 'This passkey is not known here, or did not sign what was asked.')
