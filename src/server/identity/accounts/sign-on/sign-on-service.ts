/** What a sign-on service says about a person. */
export type Claims = {
  /** Never used for anybody else by this service. */
  subject: string
  email: string | null
  emailVerified: boolean
  /** The service knows the people of the house alone: they may come in with an address that nobody proved. */
  isOfHouse: boolean
  name: string | null
  locale: string | null
  /** The names of their groups, where the service tells them. */
  groups: string[]
}

/** The secrets of one attempt: they tie the answer of the service to the browser that asked. */
export type Attempt = { state: string; nonce: string; codeVerifier: string }

export type SignedForm = { SAMLResponse?: string | undefined; RelayState?: string | undefined }

export type SignOnService = {
  /** Where the browser is sent to sign in. */
  begin(attempt: Attempt, callback: string): Promise<URL>
  /** Exchanges what came back at the callback for checked claims. */
  finish(attempt: Attempt, callback: URL): Promise<Claims>
  /** Checks what a service posted; gives what the visit needs that follows. Only where answers come as signed forms. */
  receive?(form: SignedForm, callback: string): Promise<{ state: string; code: string }>
  /** Asks the service for what a sign-on needs of it. @throws when that is not to be had */
  check(): Promise<void>
}

/** How long a service has for one answer. */
export const TIMEOUT_SECONDS = 5

const mostGroups = 1000
const longestText = 300

/** A claim as text; null for anything else. */
export function textOf(claim: unknown): string | null {
  return typeof claim === 'string' && claim.trim() !== '' ? claim.trim().slice(0, longestText) : null
}

/** Some services write their booleans as text. */
export function isTrue(claim: unknown): boolean {
  return claim === true || claim === 'true'
}

/** The groups of a claim: a list of names, or one. A name that is too long is left out, never cut to another one. */
export function groupsOf(claim: unknown): string[] {
  const listed = Array.isArray(claim) ? claim : [claim]
  const names = listed.filter((name) => typeof name === 'string' && name !== '' && name.length <= longestText)
  return [...new Set<string>(names)].slice(0, mostGroups)
}
