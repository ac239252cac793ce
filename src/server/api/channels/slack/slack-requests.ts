import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { AsksToWait } from '../wire.ts'

export type SlackSettings = { address: string; token: string }
export type AskSlack = <T>(
  method: string,
  shape: z.ZodType<T>,
  values: Record<string, string | number | boolean | undefined>,
) => Promise<T>

const ANSWER_BYTES = 4 * 1024 * 1024
const PAGES = 1_000
const PAGE = 200
const DEFAULT_WAIT_S = 30
const MAX_WAIT_S = 3_600

const Refusal = z.object({ ok: z.boolean(), error: z.nullish(z.string()), needed: z.nullish(z.string()) })
const passing = new Set(['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'])
/** Refusals of one person, who left or belongs to another workspace. */
const unknownPerson = new Set(['user_not_found', 'users_not_found', 'user_not_visible'])
/** Plain sentences for the refusals that an administrator can mend. */
const explained: Record<string, string> = {
  invalid_auth: 'Slack refuses the bot token. Copy it again from “OAuth & Permissions”.',
  not_authed: 'Slack refuses the bot token. Copy it again from “OAuth & Permissions”.',
  token_revoked: 'The bot token was revoked. Install the app again and copy the new token.',
  token_expired: 'The bot token has expired. Turn off token rotation, or enter a new token.',
  account_inactive: 'The app was removed from the workspace. Install it again.',
  not_allowed_token_type: 'This is no bot token. A bot token begins with xoxb-.',
  channel_not_found:
    'Slack does not know this channel, or the app is not in it. Invite the app to the channel.',
  not_in_channel: 'The app is not in this channel. Invite it.',
  is_archived: 'This channel is archived.',
}

/** Returns a function that calls methods of Slack. It throws what `Wire` names. */
export function slackRequests(
  outbound: Pick<Outbound, 'fetch'>,
  { address, token }: SlackSettings,
): AskSlack {
  return async (method, shape, values) => {
    const given = Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    )
    const answer = await outbound.fetch(`${address}/api/${method}`, {
      ...{ method: 'POST', body: new URLSearchParams(given).toString(), maxBytes: ANSWER_BYTES },
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      },
      ...{ trusted: [address], maxRedirects: 0 },
    })
    if (answer.status === 429) throw asksToWait(answer.headers)
    if (!answer.ok) throw new AppError('unavailable', `Slack answers with the status ${answer.status}.`)
    const body = await answer.json()
    const refusal = Refusal.safeParse(body)
    if (!refusal.success) throw new AppError('unavailable', 'This address does not answer as Slack does.')
    if (!refusal.data.ok) throw refused(refusal.data, answer.headers)
    const read = shape.safeParse(body)
    if (!read.success) throw new AppError('unavailable', `Slack answers ${method} in an unknown form.`)
    return read.data
  }
}

function asksToWait(headers: Headers): AsksToWait {
  const given = headers.get('retry-after') ?? ''
  const seconds = /^\d{1,9}$/.test(given) ? Number(given) : DEFAULT_WAIT_S
  return new AsksToWait('Slack', Math.min(Math.max(seconds, 1), MAX_WAIT_S))
}

function refused({ error, needed }: z.infer<typeof Refusal>, headers: Headers): AppError {
  const code = (error ?? 'unknown_error').slice(0, 100)
  if (code === 'ratelimited' || code === 'rate_limited') return asksToWait(headers)
  if (passing.has(code)) return new AppError('unavailable', `Slack fails now (${code}).`)
  if (unknownPerson.has(code)) return new AppError('not_found', `Slack does not know this person (${code}).`)
  if (code === 'missing_scope') {
    const scope = (needed ?? '').slice(0, 200)
    return new AppError(
      'invalid',
      `The bot token lacks the scope ${scope}. Add it and install the app again.`,
    )
  }
  return new AppError('invalid', explained[code] ?? `Slack refuses it (${code}).`)
}

const Next = z.object({ response_metadata: z.nullish(z.object({ next_cursor: z.nullish(z.string()) })) })

/** Returns all pages of a list, or those until `isEnough`. @throws AppError `unavailable` for a list without an end */
export async function listPages<T>(
  ask: AskSlack,
  method: string,
  shape: z.ZodType<T>,
  values: Record<string, string | boolean | undefined>,
  isEnough: (page: T) => boolean = () => false,
): Promise<T[]> {
  const pages: T[] = []
  let cursor: string | undefined
  while (pages.length < PAGES) {
    const page = await ask(method, z.intersection(shape, Next), { ...values, limit: PAGE, cursor })
    pages.push(page)
    const next = page.response_metadata?.next_cursor
    if (!next || isEnough(page)) return pages
    if (next === cursor) break
    cursor = next
  }
  throw new AppError('unavailable', `Slack sends a list without an end (${method}).`)
}
