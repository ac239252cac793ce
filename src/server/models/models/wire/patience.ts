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
  /** Milliseconds between two bytes before anything visible was emitted, because models think in silence. */
  quietMs: number
  /** Milliseconds between two bytes once the answer has begun. */
  idleMs: number
  /** Attempts of a call while nothing visible was emitted. */
  attempts: number
  /** Attempts of a call that ends because the provider is silent; 2 by default. A local server would only start it again. */
  silentAttempts?: number
  /** Milliseconds without an answer after which the caller is notified that the model may be loading. */
  tellMs?: number
  /** Delay before the second attempt, in milliseconds. It doubles each time. */
  backoffMs: number
}

export const defaultPatience: Patience = {
  firstMs: 120_000,
  quietMs: 300_000,
  idleMs: 90_000,
  attempts: 3,
  backoffMs: 500,
}

/** Local models may have to load and read a long prompt before their first byte. */
export const localPatience: Patience = {
  ...defaultPatience,
  ...{ firstMs: 600_000, quietMs: 600_000, silentAttempts: 1, tellMs: 5_000 },
}

/** Returns the patience with a provider for which an administrator set the timeout of the first byte. */
export function patienceFor(usual: Patience, first_token_seconds: number | null): Patience {
  if (first_token_seconds === null) return usual
  const firstMs = first_token_seconds * 1000
  return { ...usual, firstMs, quietMs: Math.max(usual.quietMs, firstMs), silentAttempts: 1 }
}

/**
 * Watches one attempt. Call `stamp` at every byte and `settle` at the first visible part, and `waitWhole` when the answer comes as a
 * whole, after silence.
 */
export type Watch = {
  signal: AbortSignal
  stamp: () => void
  settle: () => void
  waitWhole: () => void
  allowance: Allowance
}

type Attempt = (
  call: ModelCall,
  signal: AbortSignal,
  watch: Watch,
  give: GivePart,
  endpoint: Endpoint,
) => Promise<void>

/** Creates a model that is retried while nothing visible was emitted, and aborted when it is silent or does not end. */
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
          // Another key starts with a full number of attempts.
          attempt = 0
          continue
        }
        if (!isVisible && isLoading(failure) && performance.now() - begun < patience.firstMs) {
          // The server refused before it began, so a retry repeats no work.
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

/** Uses one coarse timer per call. A token only changes a number. */
function watchSilence(
  { firstMs, quietMs, idleMs, tellMs = Number.POSITIVE_INFINITY }: Patience,
  limits: AnswerLimits,
  tell: () => void,
) {
  const controller = new AbortController()
  // A longer timeout of the first byte extends the limit of the whole answer.
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
    waitWhole: () => {
      limit = whole.wholeMs
    },
    end: () => clearInterval(timer),
  }
}

/** Notifies once that a model has not begun to answer, and once that the wait is over. */
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

/** Converts an error: silence is a timeout, any other error an interruption. */
function asModelError(error: unknown, { signal }: Watch): ModelError {
  if (error instanceof ModelError) return error
  if (signal.aborted) return new ModelError('timeout', sentenceFor('timeout'))
  return new ModelError('interrupted', sentenceFor('interrupted'), { cause: error })
}

function waitBefore(attempt: number, error: ModelError, { backoffMs }: Patience): number {
  return waitWanted(error) ?? backoffMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
}
