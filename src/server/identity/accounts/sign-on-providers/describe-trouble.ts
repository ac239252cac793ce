import type { TestFact, TestResult, TestStep } from '#shared/identity/accounts/sign-on-providers.ts'
import { AppError } from '#shared/platform/errors.ts'
import { PrivateHost } from '../../../platform/outbound/outbound.ts'

type Facts = readonly (readonly [TestFact['name'], string | number | null | undefined])[]
type Problem = TestResult['problem']

const MAX_FACT = 500
const MAX_DETAIL = 300

/** Returns a result. Values that are missing are left out, long ones are cut. */
export function result(
  step: TestStep,
  state: TestResult['state'],
  facts: Facts = [],
  { problem = null, detail = null }: { problem?: Problem; detail?: string | null } = {},
): TestResult {
  const received = facts.flatMap(([name, value]) =>
    value === null || value === undefined || value === ''
      ? []
      : [{ name, value: plain(String(value), MAX_FACT) }],
  )
  return { step, state, problem, detail: detail && plain(detail, MAX_DETAIL), facts: received }
}

/** Problems whose own sentence says all that is known. */
const selfEvident = new Set<Problem>([
  ...(['unreachable', 'private_host', 'not_found', 'no_answer', 'untrusted'] as const),
  ...(['bind_refused', 'no_entry', 'not_allowed'] as const),
])

export const skipped = (...steps: TestStep[]): TestResult[] => steps.map((step) => result(step, 'skipped'))

/** Returns the result of a step that failed. `secret` is masked, because a service may repeat it. */
export function failed(
  step: TestStep,
  thrown: unknown,
  { problem, facts = [], secret }: { problem?: Problem; facts?: Facts; secret?: string | null } = {},
): TestResult {
  const error = causeOf(thrown)
  const said =
    error instanceof AppError ? error.detail : error instanceof Error ? error.message : String(error)
  const detail = secret ? said.replaceAll(secret, '•••') : said
  const found = problem ?? problemOf(error)
  return result(step, 'failed', facts, { problem: found, detail: selfEvident.has(found) ? null : detail })
}

/** Returns what failed at first: libraries wrap it. */
function causeOf(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AppError) return cause
  return error
}

function problemOf(error: unknown): Problem {
  if (error instanceof PrivateHost) return 'private_host'
  if (error instanceof AppError && error.code === 'unavailable') return 'unreachable'
  if (error instanceof AppError && error.code === 'too_large') return 'not_readable'
  return 'other'
}

/** Removes control characters and line breaks, and cuts. */
function plain(text: string, most: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}
