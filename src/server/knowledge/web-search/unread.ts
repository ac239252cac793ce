import type { UnreadReason } from '#shared/knowledge/web-search/web-search.ts'
import { AppError } from '#shared/platform/errors.ts'
import { Unreadable } from '../../platform/parsing/parsing.ts'

/** A page that answered with an unsuccessful status. */
export class PageRefused extends Error {
  readonly reason: UnreadReason
  constructor(status: number) {
    super(`The page answered with the error ${status}.`)
    this.reason = status === 404 || status === 410 ? 'missing' : status < 500 ? 'refused' : 'failed'
  }
}

/** Returns why a page was not read; `isLate` when the time for all pages is over. */
export function reasonOf(error: unknown, isLate: boolean): UnreadReason {
  if (isLate) return 'slow'
  if (error instanceof PageRefused) return error.reason
  if (error instanceof Unreadable) return error.code === 'took_too_long' ? 'slow' : 'no_text'
  if (!(error instanceof AppError)) return 'failed'
  if (error.code === 'too_large') return 'too_large'
  // The only addresses refused as invalid are private or not web addresses.
  return error.code === 'invalid' ? 'not_public' : 'silent'
}
