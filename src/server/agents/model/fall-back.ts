import type { Fallback, FallbackReason } from '#shared/runs/blocks.ts'
import { countMessages } from '../../models/asking/count-messages.ts'
import { type GivePart, type ModelCall, ModelError } from '../../models/port.ts'
import { isSpent } from '../../models/wire/failures.ts'
import type { Leaf, RunContext } from '../../runs/runs.ts'
import type { AgentKit } from '../kit.ts'

type Call = Omit<ModelCall, 'model'>

/** Which model one call is asked of: the one it was meant for, or what stands in for it. */
export type Asked = {
  model: string
  /** From the model that was asked first to the one that is asked now. */
  fallback?: Fallback
}

/** Whom a call is asked of as it begins; an attempt that was lost may have decided already. */
export function beginAsking(leaf: Leaf, model: string): Asked {
  const asked: Asked = { model }
  for (const decision of leaf.decisions()) goOver(asked, decision as Fallback)
  return asked
}

/**
 * Streams an answer. While nothing of it was given, a provider that fails gives way to the fallback of its model, if the person may use that one and
 * the call fits into it. When nobody answers, the first failure is the one that counts. @throws ModelError, AppError
 */
export async function streamOrFallBack(
  { run, kit, leaf }: { run: RunContext; kit: AgentKit; leaf: Leaf },
  asked: Asked,
  callOf: (model: string) => Call,
  give: GivePart,
): Promise<void> {
  if (asked.fallback) leaf.emit({ event: 'model_fallback', ...asked.fallback })
  let first: unknown
  for (;;) {
    let hasBegun = false
    try {
      return await kit.models.stream(asked.model, callOf(asked.model), leaf.signal, (part) => {
        if (part.type === 'waiting') return leaf.emit({ event: 'model_waiting', limit: part.limit })
        if (part.type !== 'usage') hasBegun = true
        give(part)
      })
    } catch (error) {
      if (hasBegun || leaf.signal.aborted) throw error
      first ??= error
      const reason = reasonOf(error)
      const next = reason && (await findFallback(run, kit, asked.model, callOf))
      if (!reason || !next) throw first
      const fallback = { asked: await nameOf(kit, asked.model), answered: next, reason }
      await leaf.decide(fallback)
      leaf.emit({ event: 'model_fallback', ...fallback })
      goOver(asked, fallback)
      await leaf.giveBack()
      await leaf.reserve(asked.model, callOf(asked.model))
    }
  }
}

function goOver(asked: Asked, { asked: from, answered, reason }: Fallback): void {
  asked.model = answered.id
  asked.fallback = { ...(asked.fallback ?? { asked: from, reason }), answered }
}

/** What another model can mend; null for what would fail with any. */
function reasonOf(error: unknown): FallbackReason | null {
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
      return kind
    default:
      return null
  }
}

/** The next model of the chain that may be used for this call; those that may not are passed over. */
async function findFallback(
  run: RunContext,
  kit: AgentKit,
  model: string,
  callOf: (model: string) => Call,
): Promise<Fallback['answered'] | null> {
  const closed = await kit.grants.closedTo(run.input.user_id)
  const seen = new Set([model])
  for (let from = model; ; ) {
    const next = await kit.models.fallbackOf(from)
    if (!next || seen.has(next.id)) return null
    seen.add(next.id)
    const { id, name, context_tokens } = next
    const isOpen = !closed.has('model', id)
    if (isOpen && (await fits(kit, id, context_tokens, callOf(id)))) return { id, name }
    from = id
  }
}

async function fits(
  kit: AgentKit,
  model: string,
  context_tokens: number | null,
  { messages }: Call,
): Promise<boolean> {
  return context_tokens === null || (await countMessages(kit, model, messages)) <= context_tokens
}

async function nameOf({ models }: AgentKit, id: string): Promise<Fallback['asked']> {
  const name = await models.find(id).then(
    (model) => model.name,
    () => id.slice(id.indexOf('/') + 1),
  )
  return { id, name }
}
