import type { OutboundAnswer, OutboundRequest } from '#shared/platform/outbound.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Service } from '../../../platform/outbound/oauth/oauth-service.ts'
import type { OpenAccount } from './provider-port.ts'

/** Sends the requests of an account with its token. */
export type SignedRequests = {
  /** Facts of the account. @throws AppError `not_connected` */
  facts: () => Promise<Record<string, string>>
  fetch: (url: string, request: OutboundRequest & { signal: AbortSignal }) => Promise<OutboundAnswer>
}

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
