import type { Fallback } from '#shared/runs/runs/blocks.ts'
import { findStandIn, reasonToFallBack } from '../../../models/models/asking/stand-in.ts'
import type { GivePart, ModelCall } from '../../../models/models/port.ts'
import type { Leaf, RunContext } from '../../../runs/runs/runs.ts'
import type { AgentKit } from '../kit.ts'

type Call = Omit<ModelCall, 'model'>

/** The model of one call: the requested one or a fallback. */
export type Asked = {
  model: string
  /** From the first requested model to the current one. */
  fallback?: Fallback
}

/** Returns the model to start with. A lost attempt may already have chosen a fallback. */
export function beginAsking(leaf: Leaf, model: string): Asked {
  const asked: Asked = { model }
  for (const decision of leaf.decisions()) goOver(asked, decision as Fallback)
  return asked
}

/**
 * Streams an answer. If the provider fails before any output, the model's fallback is used, provided that the user may use
 * it and the call fits its window. If all fail, the first failure is thrown. @throws ModelError, AppError
 */
export async function streamOrFallBack(
  { run, kit, leaf }: { run: RunContext; kit: AgentKit; leaf: Leaf },
  asked: Asked,
  callOf: (model: string) => Call,
  give: GivePart,
): Promise<void> {
  if (asked.fallback) leaf.emit({ event: 'model_fallback', ...asked.fallback })
  const isOpen = async (id: string) => !(await kit.grants.closedTo(run.input.user_id)).has('model', id)
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
      const reason = reasonToFallBack(error)
      const next = reason && (await findStandIn(kit, asked.model, callOf, isOpen))
      if (!reason || !next) throw first
      const { id, name } = next
      const fallback = { asked: await nameOf(kit, asked.model), answered: { id, name }, reason }
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

async function nameOf({ models }: AgentKit, id: string): Promise<Fallback['asked']> {
  const name = await models.find(id).then(
    (model) => model.name,
    () => id.slice(id.indexOf('/') + 1),
  )
  return { id, name }
}
