import type { AvailableModel } from '#shared/models/connections/connections.ts'
import type { FallbackReason } from '#shared/runs/runs/blocks.ts'
import { type GivePart, isSaid, type ModelCall, ModelError } from '../port.ts'
import type { Models } from '../registry.ts'
import { isSpent } from '../wire/failures.ts'
import { countMessages } from './count-messages.ts'

type Call = Omit<ModelCall, 'model'>

/** The payment for a call that another model may answer. */
export type Paying = {
  /** Returns whether the user may use a model. */
  isOpen: (modelId: string) => Promise<boolean>
  /** Reserves the amount that a call may cost. */
  reserve: (modelId: string, call: Pick<ModelCall, 'messages' | 'tools' | 'output'>) => Promise<void>
  /** Releases the reservation. */
  giveBack: () => Promise<void>
}

/** Returns the reason to ask a fallback; null for an error that any model would return. */
export function reasonToFallBack(error: unknown): FallbackReason | null {
  if (!(error instanceof ModelError)) return null
  if (isSpent(error)) return 'spent'
  const { kind } = error
  switch (kind) {
    case 'unreachable':
    case 'timeout':
    case 'interrupted':
    case 'overloaded':
    case 'rate_limited':
    case 'no_room':
    case 'unauthorized':
    case 'not_available':
      return kind
    default:
      return null
  }
}

/** Returns the next model of the chain that may be used for this call, or null. */
export async function findStandIn(
  kit: { models: Models },
  model: string,
  callOf: (modelId: string) => Pick<Call, 'messages'>,
  isOpen: Paying['isOpen'],
): Promise<AvailableModel | null> {
  const seen = new Set([model])
  for (let from = model; ; ) {
    const next = await kit.models.fallbackOf(from)
    if (!next || seen.has(next.id)) return null
    const { id } = next
    seen.add(id)
    const isUsable = (await isOpen(id)) && (await kit.models.mayReceive(id))
    if (isUsable && (await fits(kit, next, callOf(id)))) return next
    from = id
  }
}

async function fits(
  kit: { models: Models },
  { id, context_tokens }: AvailableModel,
  { messages }: Pick<Call, 'messages'>,
): Promise<boolean> {
  return context_tokens === null || (await countMessages(kit, id, messages)) <= context_tokens
}

/**
 * Streams an answer that belongs to no reply. Returns the model that answered: the asked one, or a fallback when its provider fails
 * before any output. Throws the first failure when no model answers. @throws ModelError, AppError
 */
export async function streamOrStandIn(
  kit: { models: Models },
  asked: { model: string; call: Call; signal: AbortSignal },
  give: GivePart,
  paying?: Paying,
): Promise<string> {
  const { call, signal } = asked
  let { model } = asked
  let first: unknown
  for (;;) {
    let hasBegun = false
    try {
      await kit.models.stream(model, call, signal, (part) => {
        hasBegun ||= isSaid(part)
        give(part)
      })
      return model
    } catch (error) {
      if (hasBegun || signal.aborted) throw error
      first ??= error
      if (!paying || reasonToFallBack(error) === null) throw first
      const next = await findStandIn(kit, model, () => call, paying.isOpen)
      if (!next) throw first
      model = next.id
      await paying.giveBack()
      await paying.reserve(model, call)
    }
  }
}
