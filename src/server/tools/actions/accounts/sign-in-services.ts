import type { AccountKind } from '#shared/tools/actions/personal-accounts.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Service } from '../../../platform/outbound/oauth/oauth-service.ts'
import { google } from '../services/google/google-account.ts'
import { jira } from '../services/jira/jira-account.ts'
import { microsoft } from '../services/microsoft/microsoft-account.ts'
import type { OpenAccount } from '../services/service.ts'
import type { SignedRequests } from './tokens.ts'

export type SignedContext = {
  address: string
  account: SignedRequests
  config: Config
  signal: AbortSignal
  now: () => Date
}

/** A service where people connect their account on its page. */
export type SignInService = {
  /** Returns the service with Atrium's client; null when the installation has none there. */
  serviceOf: (config: Config) => Service | null
  /** More parameters of its page. */
  parameters: Record<string, string>
  /** Addresses of its interface. They may be private. */
  trusted: (config: Config) => string[]
  /** Returns the address of the person at the service, and facts to store with the tokens. */
  whoIs: (
    fetch: SignedRequests['fetch'],
    config: Config,
    signal: AbortSignal,
  ) => Promise<{ address: string; facts?: Record<string, string> }>
  open: (context: SignedContext) => OpenAccount
}

const services: Partial<Record<AccountKind, SignInService>> = { google, microsoft, jira }

/** @throws Error for a kind whose settings are entered */
export function findSignInService(kind: AccountKind): SignInService {
  const found = services[kind]
  if (!found) throw new Error(`There is no sign-in for ${kind}.`)
  return found
}

export const hasSignIn = (kind: AccountKind): boolean => services[kind] !== undefined

/** Addresses that an administrator configured. They may be private. */
export const trustedOf = ({ authorize, token }: Service): string[] => [authorize, token]
