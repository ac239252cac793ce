import type { Fallback } from '#shared/runs/runs/blocks.ts'
import { findStandIn, reasonToFallBack } from '../../../models/models/asking/stand-in.ts'
import { type GivePart, isSaid, type ModelCall, ModelError } from '../../../models/models/port.ts'
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
 * Streams an answer. While nothing of it was given, a provider that fails gives way to the fallback of its model, if the person may use that one and
 * the call fits into it. When none answers, the failure names each of them. @throws ModelError, AppError
 */
export async function streamOrFallBack(
  { run, kit, leaf }: { run: RunContext; kit: AgentKit; leaf: Leaf },
  asked: Asked,
  callOf: (model: string) => Call,
  give: GivePart,
): Promise<void> {
  if (asked.fallback) leaf.emit({ event: 'model_fallback', ...asked.fallback })
  const isOpen = async (id: string) => !(await kit.grants.closedTo(run.input.user_id)).has('model', id)
  const failures: { model: string; error: unknown }[] = []
  for (;;) {
    let hasBegun = false
    try {
      return await kit.models.stream(asked.model, callOf(asked.model), leaf.signal, (part) => {
        if (part.type === 'waiting') return leaf.emit({ event: 'model_waiting', limit: part.limit })
        hasBegun ||= isSaid(part)
        give(part)
      })
    } catch (error) {
      if (hasBegun || leaf.signal.aborted) throw error
      failures.push({ model: asked.model, error })
      const reason = reasonToFallBack(error)
      const next = reason && (await findStandIn(kit, asked.model, callOf, isOpen))
      if (!reason || !next) throw await joinFailures(kit, failures)
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

/** The first failure, with what those who were asked instead said: a person who set a fallback must learn why it did not help. */
async function joinFailures(kit: AgentKit, failures: { model: string; error: unknown }[]): Promise<unknown> {
  const [first, ...others] = failures
  if (!(first?.error instanceof ModelError) || others.length === 0) return first?.error
  const told = await Promise.all(
    others.map(async ({ model, error }) => {
      const { name } = await nameOf(kit, model)
      return `${name}: ${error instanceof Error ? error.message : String(error)}`
    }),
  )
  const { kind, status, retryAfterSeconds, said, message } = first.error
  return new ModelError(kind, [message, ...told].join(' · '), {
    ...(status && { status }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    said,
    cause: first.error,
  })
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
