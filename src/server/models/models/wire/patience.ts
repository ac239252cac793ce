import { setTimeout as sleep } from 'node:timers/promises'
import {
  type GivePart,
  isSaid,
  type ModelCall,
  ModelError,
  type ModelPart,
  type StreamModel,
} from '../port.ts'
import {
  type Allowance,
  type AnswerLimits,
  createAllowance,
  defaultLimits,
  tookTooLong,
} from './allowance.ts'
import type { Endpoint } from './dialect.ts'
import { isLoading, isPassing, sentenceFor, waitWanted } from './failures.ts'
import type { Gate } from './gate.ts'

export type Patience = {
  /** Milliseconds until the first byte of an answer. */
  firstMs: number
  /** Milliseconds between two bytes while nothing was given yet: models think in silence. */
  quietMs: number
  /** Milliseconds between two bytes once the answer has begun. */
  idleMs: number
  /** How often a call is tried when nothing visible was given yet. */
  attempts: number
  /** How often a call is tried that ends because the provider says nothing; twice by default. A local server would only begin it again. */
  silentAttempts?: number
  /** Milliseconds without an answer after which the caller hears that the model may be loading. */
  tellMs?: number
  /** The first wait between two attempts, in milliseconds; doubles each time. */
  backoffMs: number
}

export const defaultPatience: Patience = {
  firstMs: 120_000,
  quietMs: 300_000,
  idleMs: 90_000,
  attempts: 3,
  backoffMs: 500,
}

/** Models on this machine or network may have to be loaded and read a long prompt before their first byte. */
export const localPatience: Patience = {
  ...defaultPatience,
  ...{ firstMs: 600_000, quietMs: 600_000, silentAttempts: 1, tellMs: 5_000 },
}

/** The patience with a provider whose first byte an administrator has given so many seconds. */
export function patienceFor(usual: Patience, first_token_seconds: number | null): Patience {
  if (first_token_seconds === null) return usual
  const firstMs = first_token_seconds * 1000
  return { ...usual, firstMs, quietMs: Math.max(usual.quietMs, firstMs), silentAttempts: 1 }
}

/** Watches one attempt. `stamp` is told of every byte, `settle` of the first visible part. */
export type Watch = { signal: AbortSignal; stamp: () => void; settle: () => void; allowance: Allowance }

type Attempt = (
  call: ModelCall,
  signal: AbortSignal,
  watch: Watch,
  give: GivePart,
  endpoint: Endpoint,
) => Promise<void>

/** A model that is tried again while nothing visible was given, and given up when it falls silent or does not end. */
export function withPatience(
  patience: Patience,
  attemptOnce: Attempt,
  gate: Gate,
  limits = defaultLimits,
): StreamModel {
  const answer = async (
    call: ModelCall,
    signal: AbortSignal,
    give: GivePart,
    loading: ReturnType<typeof createLoadingNotice>,
  ) => {
    const begun = performance.now()
    for (let attempt = 1; ; attempt += 1) {
      const endpoint = await gate.enter(signal, give)
      const watch = watchSilence(patience, limits, loading.tell)
      let isVisible = false
      let isRefused = false
      const pass = (part: ModelPart) => {
        if (!isVisible && isSaid(part)) {
          isVisible = true
          watch.settle()
          loading.end()
        }
        watch.allowance.take(part, (allowed) => {
          try {
            give(allowed)
          } catch (error) {
            isRefused = true
            throw error
          }
        })
      }
      try {
        return await attemptOnce(call, signal, watch, pass, endpoint)
      } catch (error) {
        signal.throwIfAborted()
        if (isRefused) throw error
        const failure = asModelError(error, watch)
        const hasAnother = await gate.failed(failure)
        if (hasAnother && !isVisible) {
          // Another key is another provider: what this one was asked does not count.
          attempt = 0
          continue
        }
        if (!isVisible && isLoading(failure) && performance.now() - begun < patience.firstMs) {
          // The server refused before it began: asking again repeats no work.
          attempt -= 1
          loading.tell()
          await sleep(patience.backoffMs * 2, undefined, { signal })
          continue
        }
        const last = failure.kind === 'timeout' ? (patience.silentAttempts ?? 2) : patience.attempts
        if (isVisible || attempt >= last || !isPassing(failure)) throw failure
        await sleep(waitBefore(attempt, failure, patience), undefined, { signal })
      } finally {
        watch.end()
      }
    }
  }
  return async (call, signal, give) => {
    const loading = createLoadingNotice(give)
    await answer(call, signal, give, loading).catch((error) => {
      if (!signal.aborted) loading.end()
      throw error
    })
  }
}

/** One coarse timer per call: a token only moves a number. */
function watchSilence(
  { firstMs, quietMs, idleMs, tellMs = Number.POSITIVE_INFINITY }: Patience,
  limits: AnswerLimits,
  tell: () => void,
) {
  const controller = new AbortController()
  // The time until the first byte has a limit of its own.
  const whole = { ...limits, wholeMs: limits.wholeMs + Math.max(0, firstMs - localPatience.firstMs) }
  const begun = performance.now()
  let last = begun
  let limit = firstMs
  let later = quietMs
  let hasSpoken = false
  const timer = setInterval(
    () => {
      const now = performance.now()
      if (now - last > limit) controller.abort()
      if (!hasSpoken && now - begun > tellMs) tell()
      if (now - begun > whole.wholeMs) controller.abort(tookTooLong(whole))
    },
    Math.min(250, firstMs / 4, idleMs / 4),
  )
  return {
    signal: controller.signal,
    allowance: createAllowance(limits),
    stamp: () => {
      last = performance.now()
      limit = later
    },
    settle: () => {
      hasSpoken = true
      later = idleMs
      limit = idleMs
    },
    end: () => clearInterval(timer),
  }
}

/** Tells once that a model has not begun to answer, and once that it has. */
function createLoadingNotice(give: GivePart) {
  let isTold = false
  return {
    tell: () => {
      if (!isTold) give({ type: 'waiting', limit: { of: 'model' } })
      isTold = true
    },
    end: () => {
      if (isTold) give({ type: 'waiting', limit: null })
      isTold = false
    },
  }
}

/** What breaks once an answer has begun, breaks it off. */
function asModelError(error: unknown, { signal }: Watch): ModelError {
  if (error instanceof ModelError) return error
  if (signal.aborted) return new ModelError('timeout', sentenceFor('timeout'))
  return new ModelError('interrupted', sentenceFor('interrupted'), { cause: error })
}

function waitBefore(attempt: number, error: ModelError, { backoffMs }: Patience): number {
  return waitWanted(error) ?? backoffMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
}
