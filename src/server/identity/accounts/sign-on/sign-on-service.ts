import type { UnknownGroups } from '#shared/identity/accounts/sign-on-ways.ts'

/** The user's group names, or why they are unknown. Unknown groups are not the same as none: roles stay. */
export type Groups = string[] | UnknownGroups['reason']

/** A sign-on service's information about a user. */
export type Claims = {
  /** Never reused for another person by this service. */
  subject: string
  email: string | null
  emailVerified: boolean
  /** True for a service that knows only the company's own people: they may enter with an unproved address. */
  isOfHouse: boolean
  name: string | null
  locale: string | null
  groups: Groups
  /** Ends the session at the service later; absent when it does not sign people out. */
  hint?: string | undefined
}

/** Secrets of one attempt. They tie the response to the browser that started it. */
export type Attempt = { state: string; nonce: string; codeVerifier: string }

export type SignedForm = { SAMLResponse?: string | undefined; RelayState?: string | undefined }

export type SignOnService = {
  /** Returns the address to send the browser to. */
  begin(attempt: Attempt, callback: string): Promise<URL>
  /** Exchanges the callback for verified claims. */
  finish(attempt: Attempt, callback: URL): Promise<Claims>
  /** Verifies a posted response and returns the parameters of the following visit. Only for services that post signed forms. */
  receive?(form: SignedForm, callback: string): Promise<{ state: string; code: string }>
  /** Returns the address that ends the session of `hint` there and then leads to `back`; null when it has none. */
  signOut?(hint: string, back: string): Promise<URL | null>
  /** Verifies that the service is reachable and configured. @throws when it is not */
  check(): Promise<void>
}

/** Timeout of one request to a service. */
export const TIMEOUT_SECONDS = 5

const MAX_GROUPS = 1000
const longestText = 300

/** Returns a claim as text; null for other types. */
export function textOf(claim: unknown): string | null {
  return typeof claim === 'string' && claim.trim() !== '' ? claim.trim().slice(0, longestText) : null
}

/** Some services send booleans as text. */
export function isTrue(claim: unknown): boolean {
  return claim === true || claim === 'true'
}

/** Returns the groups of a claim, `not_sent` without it. Some services leave the claim out above a number of groups: `isCut`. */
export function readGroups(claim: unknown, isCut = false): Groups {
  // A list that was cut would take roles away.
  if (Array.isArray(claim) && claim.length > MAX_GROUPS) return 'too_many'
  if (claim !== undefined && claim !== null) return groupsOf(claim)
  return isCut ? 'too_many' : 'not_sent'
}

/** Returns the groups of a claim: a list or a single name. Oversized names are dropped, never cut to a different one. */
export function groupsOf(claim: unknown): string[] {
  const listed = Array.isArray(claim) ? claim : [claim]
  const names = listed.filter((name) => typeof name === 'string' && name !== '' && name.length <= longestText)
  return [...new Set<string>(names)].slice(0, MAX_GROUPS)
}
