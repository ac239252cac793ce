import * as z from 'zod/mini'
import { AppError } from '#shared/platform/errors.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import { CursorExpired, ItemRefused, SignedOut, SourceBusy } from '../../define-connector.ts'

/** Default and maximum wait after a refusal, in seconds. */
const [DEFAULT_WAIT_SECONDS, MAX_WAIT_SECONDS] = [60, 3600]
const MAX_TEXT = 200

/** Response codes (RFC 5530) and texts of a server that asks to wait. */
const busyCodes = new Set(['LIMIT', 'UNAVAILABLE', 'INUSE', 'THROTTLED', 'OVERQUOTA'])
const busyText = /too many|maximum number of connections|try again later|throttled|temporar/i
const signedOutCodes = new Set(['AUTHENTICATIONFAILED', 'AUTHORIZATIONFAILED', 'EXPIRED', 'PRIVACYREQUIRED'])

/** Returns an error of a mail server as one of a source. An abort of one of the signals is returned unchanged. */
export function describeFailure(error: unknown, host: string, signals: readonly AbortSignal[]): unknown {
  const aborted = signals.find((one) => one.aborted)
  if (aborted) return aborted.reason
  const isKnown = [AppError, ItemRefused, CursorExpired].some((one) => error instanceof one)
  if (isKnown) return error
  const said = readFailure(error)
  if (said.waitMs !== null)
    return new SourceBusy(Math.min(Math.max(Math.ceil(said.waitMs / 1000), 1), MAX_WAIT_SECONDS))
  if (busyCodes.has(said.code) || busyText.test(said.text)) return new SourceBusy(DEFAULT_WAIT_SECONDS)
  if (signedOutCodes.has(said.code) || said.isSignInRefused)
    return new SignedOut(`${host} refuses the sign-in.`)
  if (said.isMissing) return new ItemRefused('not_found', `${host} does not have its folder.`)
  if (said.isCertificate)
    return new AppError('not_available', `The certificate of ${host} is not valid for it.`, { cause: error })
  const detail = said.text
    ? `${host} does not answer as expected. It says: ${cleanLabel(said.text)}`
    : `${host} could not be reached, or the connection was lost.`
  return new AppError('unavailable', detail, { cause: error })
}

/** Reads the fields that the library sets on its errors. */
function readFailure(error: unknown) {
  const found = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>
  const text = (name: string) => (typeof found[name] === 'string' ? found[name].slice(0, MAX_TEXT) : '')
  const code = text('serverResponseCode') || codeOf(found.response)
  return {
    code,
    text: text('responseText') || text('response') || text('reason') || text('byeReason'),
    waitMs: typeof found.throttleReset === 'number' ? found.throttleReset : null,
    isSignInRefused: found.authenticationFailed === true,
    isMissing: found.mailboxMissing === true || code === 'NONEXISTENT',
    isCertificate: /CERT|TLS_|SELF_SIGNED|UNABLE_TO_VERIFY/.test(text('code')),
  }
}

/** The library extracts the response code of some commands only. The others have it in their parsed response. */
const Refusal = z.object({
  attributes: z.tuple(
    [z.object({ section: z.tuple([z.object({ value: z.string() })], z.unknown()) })],
    z.unknown(),
  ),
})

const codeOf = (response: unknown): string => {
  const { data } = Refusal.safeParse(response)
  return data?.attributes[0].section[0].value.toUpperCase() ?? ''
}
