import { setTimeout as sleep } from 'node:timers/promises'
import type { ProviderTrouble } from '#shared/models/connections/provider-trouble.ts'
import type { Language } from '#shared/platform/primitives.ts'
import { type ModelCall, ModelError } from '../../models/models/port.ts'
import { citeAnswer, listen, type Payer, type RagDeps } from '../rag/rag.ts'

/** Transient failures: the call is retried after `WAIT_MS`, which doubles with each retry. */
const PASSING: ReadonlySet<ProviderTrouble> = new Set([
  ...(['rate_limited', 'no_room', 'overloaded', 'timeout', 'interrupted'] as const),
  ...(['unreachable', 'invalid_answer'] as const),
])
const TRIES = 6
const WAIT_MS = 250

export type Asking = { model: string; language: Language; signal: AbortSignal; payer: Payer }
type Told = {
  system: string
  user: string
  /** Chunk ids by the passage numbers in the prompt, from 1; null for passages that may not be cited. */
  passages: readonly (string | null)[]
  absent: string
}

/**
 * Asks a model about passages or notes and returns its answer as cited text. Retries transient failures. `onText(null)` voids the text
 * shown so far. @throws ModelError, AppError
 */
export async function askModel(
  deps: Pick<RagDeps, 'models'>,
  { model, language, signal, payer }: Asking,
  { system, user, passages, absent }: Told,
  onText?: (text: string | null) => void,
): Promise<{ text: string; isAnswered: boolean; cited: string[] }> {
  const call: Omit<ModelCall, 'model'> = {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'text', text: user }] },
    ],
    ...{ tools: [], tool_choice: 'none', language },
  }
  await payer.reserve(model, call)
  for (let failures = 0; ; ) {
    const cited = citeAnswer({ passages, absent })
    try {
      const { text } = await listen(deps, model, call, cited, { signal, payer, onText })
      return { text, isAnswered: cited.isAnswered(), cited: cited.cited() }
    } catch (error) {
      failures += 1
      signal.throwIfAborted()
      if (!(error instanceof ModelError) || !PASSING.has(error.kind) || failures === TRIES) throw error
      const wait =
        error.retryAfterSeconds === undefined ? WAIT_MS * 2 ** (failures - 1) : error.retryAfterSeconds * 1000
      await sleep(Math.min(wait, WAIT_MOST_MS), undefined, { signal })
      onText?.(null)
    }
  }
}

const WAIT_MOST_MS = 60_000
