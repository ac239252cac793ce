import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import type { OutboundAnswer } from '#shared/platform/outbound.ts'
import { UnknownOutcome } from '../../../runs/runs/runs.ts'
import type { SignedContext } from './signed-account.ts'

const MAX_BYTES = 10 * 1024 * 1024

type Wish = {
  method?: 'GET' | 'POST' | 'PATCH'
  body?: unknown
  headers?: Record<string, string>
  /** True when the request acts outside: a lost answer then throws UnknownOutcome. */
  acts?: boolean
  /** Statuses that are no failure. */
  allows?: readonly number[]
}

/** Sends JSON to the interface of a service. @throws AppError in one sentence, UnknownOutcome for an action whose answer is lost */
export function createJson(
  { account, signal }: Pick<SignedContext, 'account' | 'signal'>,
  base: () => string | Promise<string>,
) {
  return async (path: string, { method = 'GET', body, headers, acts = false, allows = [] }: Wish = {}) => {
    const url = `${await base()}${path}`
    const answer = await account
      .fetch(url, {
        ...{ method, signal, maxBytes: MAX_BYTES },
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      .catch((error) => {
        if (acts && isLost(error)) throw new UnknownOutcome({ cause: error })
        throw error
      })
    if (answer.ok || allows.includes(answer.status)) return answer
    if (acts && answer.status >= 500) throw new UnknownOutcome()
    throw await refusalOf(answer)
  }
}

const isLost = (error: unknown) => !(error instanceof AppError) || error.code === 'unavailable'

const Said = z.looseObject({
  error: z.optional(z.union([z.string(), z.looseObject({ message: z.optional(z.string()) })])),
  errorMessages: z.optional(z.array(z.string())),
  errors: z.optional(z.record(z.string(), z.unknown())),
})

async function refusalOf(answer: OutboundAnswer): Promise<AppError> {
  const host = new URL(answer.url).host
  const { data } = Said.safeParse(await answer.json().catch(() => null))
  const { error, errorMessages = [], errors = {} } = data ?? {}
  const named = typeof error === 'object' ? error.message : error
  const [first = named ?? ''] = [
    ...errorMessages,
    ...Object.values(errors).filter((one) => typeof one === 'string'),
  ]
  const said = first === '' ? '' : ` It says: ${cleanLabel(String(first).slice(0, 300))}`
  if (answer.status === 404) return new AppError('not_found', `${host} does not have it.${said}`)
  return new AppError('unavailable', `${host} refuses it with the status ${answer.status}.${said}`)
}

/** Reads an answer of the expected form. @throws AppError `unavailable` */
export async function readAs<Schema extends z.ZodType>(
  answer: OutboundAnswer,
  schema: Schema,
): Promise<z.output<Schema>> {
  const { data, success } = schema.safeParse(await answer.json())
  if (!success) throw new AppError('unavailable', `${new URL(answer.url).host} does not answer as expected.`)
  return data
}
