import type { AvailableModel } from '#shared/models/connections/connections.ts'
import type { FallbackReason } from '#shared/runs/runs/blocks.ts'
import { type GivePart, isSaid, type ModelCall, ModelError } from '../port.ts'
import type { Models } from '../registry.ts'
import { isSpent } from '../wire/failures.ts'
import { countMessages } from './count-messages.ts'

type Call = Omit<ModelCall, 'model'>

/** Who pays for a call, when another model may stand in for the one that was asked. */
export type Paying = {
  /** Whether the person may use a model. */
  isOpen: (modelId: string) => Promise<boolean>
  /** Puts aside what a call may cost. */
  reserve: (modelId: string, call: Pick<ModelCall, 'messages' | 'tools' | 'output'>) => Promise<void>
  /** Gives back what is put aside. */
  giveBack: () => Promise<void>
}

/** What another model can mend; null for what would fail with any. */
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

/** The next model of the chain that may be used for this call; those that may not are passed over. */
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
    if ((await isOpen(id)) && (await fits(kit, next, callOf(id)))) return next
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
 * Streams an answer that is part of no reply, and gives the model it came from: the one that was asked, or what stands in for it while its
 * provider fails and nothing was said. When nobody answers, the first failure is the one that counts. @throws ModelError, AppError
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
