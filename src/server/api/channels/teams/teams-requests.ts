import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { AsksToWait } from '../wire.ts'

export type TeamsSettings = {
  /** Origin that gives tokens. */
  address: string
  app_id: string
  tenant_id: string
  secret: string
  graph: string
  /** Origins that may be answered. */
  services: readonly string[]
}
type Ask = { method?: 'GET' | 'POST' | 'PUT'; body?: unknown }
export type AskTeams = <T>(url: string, shape: z.ZodType<T>, options?: Ask) => Promise<T>

const ANSWER_BYTES = 4 * 1024 * 1024
const DEFAULT_WAIT_S = 30
const MAX_WAIT_S = 3_600
const RENEW_MS = 120_000
const CONNECTOR = 'https://api.botframework.com/.default'

const Token = z.object({ access_token: z.string(), expires_in: z.number() })
const Refusal = z.object({ error_description: z.string().optional(), error: z.unknown().optional() })

type Held = { token: string; until: number }
/** Tokens of this process, by application, tenant and purpose. The secret is part of the key, so that a new one counts immediately. */
export type TokenCache = Map<string, Held>

/** Calls the connector of Teams, and Graph. Addresses outside of the allowed origins are never called with a token. */
export function teamsRequests(
  outbound: Pick<Outbound, 'fetch'>,
  settings: TeamsSettings,
  cache: TokenCache,
): AskTeams {
  const { address, app_id, tenant_id, secret, graph, services } = settings
  const tokenFor = async (scope: string): Promise<string> => {
    const key = [address, tenant_id, app_id, scope, secret].join(' ')
    const held = cache.get(key)
    if (held && held.until > Date.now()) return held.token
    const form = { grant_type: 'client_credentials', client_id: app_id, client_secret: secret, scope }
    const answer = await outbound.fetch(`${address}/${encodeURIComponent(tenant_id)}/oauth2/v2.0/token`, {
      ...{ method: 'POST', body: new URLSearchParams(form).toString(), trusted: [address], maxRedirects: 0 },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    if (answer.status === 429) throw asksToWait(answer.headers)
    const body = await answer.json()
    const read = Token.safeParse(body)
    if (!answer.ok || !read.success) {
      const said = Refusal.safeParse(body).data?.error_description?.split('\n', 1)[0]?.slice(0, 300)
      throw new AppError('invalid', `Microsoft refuses the application: ${said ?? `status ${answer.status}`}`)
    }
    cache.set(key, {
      token: read.data.access_token,
      until: Date.now() + read.data.expires_in * 1000 - RENEW_MS,
    })
    return read.data.access_token
  }
  return async (url, shape, { method = 'GET', body } = {}) => {
    const origin = new URL(url).origin
    const isGraph = origin === graph
    if (!isGraph && !services.includes(origin))
      throw new AppError('invalid', `${origin} is not among the allowed service addresses.`)
    const answer = await outbound.fetch(url, {
      ...{ method, trusted: [origin], maxRedirects: 0, maxBytes: ANSWER_BYTES },
      headers: {
        authorization: `Bearer ${await tokenFor(isGraph ? `${graph}/.default` : CONNECTOR)}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (answer.status === 429) throw asksToWait(answer.headers)
    if (answer.status >= 500)
      throw new AppError('unavailable', `Teams answers with the status ${answer.status}.`)
    if (!answer.ok) {
      const isUnknown = answer.status === 404 && !isGraph
      throw new AppError(isUnknown ? 'not_found' : 'invalid', refusalOf(answer.status, isGraph))
    }
    const read = shape.safeParse(answer.bytes.length === 0 ? {} : await answer.json())
    if (!read.success) throw new AppError('unavailable', 'Teams answers in an unknown form.')
    return read.data
  }
}

function refusalOf(status: number, isGraph: boolean): string {
  if (status === 401) return 'Teams refuses the application. Check its id, tenant and secret.'
  if (status === 403 && isGraph)
    return 'The application may not read the messages of this conversation. Give it ChannelMessage.Read.Group and ChatMessage.Read.Chat.'
  if (status === 403 || status === 404)
    return 'The app is not installed in this conversation, or was removed from it.'
  return `Teams refuses it (status ${status}).`
}

function asksToWait(headers: Headers): AsksToWait {
  const given = headers.get('retry-after') ?? ''
  const seconds = /^\d{1,9}$/.test(given) ? Number(given) : DEFAULT_WAIT_S
  return new AsksToWait('Teams', Math.min(Math.max(seconds, 1), MAX_WAIT_S))
}
