import { Buffer } from 'node:buffer'
import { request } from 'undici'
import * as z from 'zod'
import { readJson, tryJson } from '../../../platform/outbound/foreign/foreign.ts'
import { ModelError } from '../port.ts'
import { failureOf, sentenceFor, unreachable } from './failures.ts'

const PATIENCE_MS = 15_000
/** Tokens are replaced this long before they expire, because a call may wait before it is sent. */
const MARGIN_MS = 5 * 60_000
const MAX_BYTES = 256 * 1024

const Issued = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number() })
const Refusal = z.object({ error: z.string().optional(), error_description: z.string() })

type Token = { value: Promise<string>; until: number }
/** The address of a token endpoint, and the form to post there. */
type Wish = { url: string; form: Record<string, string> }

/** Creates the access tokens of this process, each used until shortly before it expires. Errors name `issuer`. */
export function createAccessTokens(issuer: string) {
  const tokens = new Map<string, Token>()
  return {
    /** Returns the token of a key; requests one when none is valid. @throws ModelError: `unauthorized` when the issuer refuses */
    get: async (key: string, wish: () => Wish): Promise<string> => {
      const known = tokens.get(key)
      if (known && known.until > Date.now()) return known.value
      const token: Token = { until: Date.now() + PATIENCE_MS, value: Promise.resolve('') }
      token.value = requestToken(wish(), issuer).then(({ access_token, expires_in }) => {
        token.until = Date.now() + expires_in * 1000 - MARGIN_MS
        return access_token
      })
      tokens.set(key, token)
      return token.value.catch((error) => {
        tokens.delete(key)
        throw error
      })
    },
    /** Forgets the token of a key. The next call requests another. */
    forget: (key: string) => void tokens.delete(key),
  }
}

async function requestToken({ url, form }: Wish, issuer: string): Promise<z.infer<typeof Issued>> {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((error: unknown) => {
    throw unreachable(error)
  })
  const bytes = await readStart(answer.body)
  if (answer.statusCode >= 300) throw refused(answer.statusCode, bytes.toString(), issuer)
  const issued = Issued.safeParse(await readJson(bytes).catch(() => null))
  if (issued.success) return issued.data
  throw new ModelError('invalid_answer', sentenceFor('invalid_answer', `${issuer} returned no access token`))
}

/** Reads the start of an answer and ignores the rest. */
async function readStart(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MAX_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, MAX_BYTES)
}

/** A wrong secret, account or tenant is rejected with 400 or 401. */
function refused(status: number, body: string, issuer: string): ModelError {
  const failure = failureOf(status, body, {})
  if (status >= 500 || status === 429) return failure
  const told = Refusal.safeParse(tryJson(body))
  const said = told.success
    ? (told.data.error_description.split(/\r?\n/)[0] ?? '')
    : `${issuer} answered ${status}`
  return new ModelError('unauthorized', sentenceFor('unauthorized', said), { status, said })
}
