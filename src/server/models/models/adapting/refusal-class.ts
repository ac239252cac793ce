import type { ModelError, ModelErrorKind } from '../port.ts'
import { isSpent } from '../wire/failures.ts'
import { saysFiltered } from './refusal-words.ts'

/** The class of a failed model call as plain data. It is stored with the failed run for the calling program. */
export type Refusal = {
  kind: ModelErrorKind
  /** The provider's HTTP status, if any. */
  status?: number
  retry_after_seconds?: number
  /** The provider's content rules refused the request. */
  filtered?: true
  /** The provider's account has no credit left. */
  spent?: true
}

/** Returns the class of a failed model call. */
export function refusalOf(error: ModelError): Refusal {
  const { kind, status, said, retryAfterSeconds } = error
  return {
    kind,
    ...(status !== undefined && { status }),
    ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
    ...(isRefused(error) && saysFiltered(said) && { filtered: true }),
    ...(isSpent(error) && { spent: true }),
  }
}

/** Some providers refuse content with 403, the status of a refused key. */
const isRefused = ({ kind, status }: ModelError) => kind === 'bad_request' || status === 403
