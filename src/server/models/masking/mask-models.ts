import { BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'
import type { MaskKind } from '#shared/models/masking/masking.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Models } from '../models/models.ts'
import { assignValues } from './chat-values.ts'
import { currentOrigin, type Origin } from './origin.ts'
import { createMapping, type MaskedValue } from './replacing/mapping.ts'
import { findInCall, maskCall, valuesOf } from './replacing/mask-call.ts'
import { placeholderOf } from './replacing/placeholders.ts'
import { restoreAnswer } from './replacing/restore-answer.ts'
import { addMasked, findAllPolicies, findPolicies, type Policy } from './store.ts'

type Deps = Pick<Platform, 'db' | 'secrets'>

/**
 * Wraps models so that personal details are replaced in each call that leaves the installation, and put back into its answer. The
 * company of the person for whom a model is called decides; all companies do together when the person is unknown.
 */
export function maskModels(models: Models, deps: Deps): Models {
  return {
    ...models,
    stream: async (modelId, call, signal, give) => {
      const origin = originOf(call.caller?.person ?? null)
      const kinds = await kindsFor(models, deps, origin, modelId)
      if (kinds.size === 0) return models.stream(modelId, call, signal, give)
      const spots = await findInCall(call, kinds)
      const values = await assignValues(deps, origin.session_id, valuesOf(spots))
      const { call: masked, used } = maskCall(call, spots, values, kinds)
      await noteUsed(deps, origin, used)
      signal.throwIfAborted()
      // Other values of the chat may come from what another person was sent, such as their memory.
      const { lookup } = createMapping(used)
      const isJson = call.output !== undefined
      const answer = restoreAnswer(lookup, { isJson }, give)
      await models.stream(modelId, masked, signal, answer.take).catch((error) => {
        answer.end()
        throw error
      })
    },
    draw: async (modelId, wish, signal, show) => {
      const origin = originOf(null)
      const kinds = await kindsFor(models, deps, origin, modelId)
      if (kinds.size === 0) return models.draw(modelId, wish, signal, show)
      const call = {
        messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: wish.prompt }] }],
        tools: [],
        tool_choice: 'none' as const,
      }
      const spots = await findInCall(call, kinds)
      const values = await assignValues(deps, origin.session_id, valuesOf(spots))
      const { call: masked, used } = maskCall(call, spots, values, kinds)
      await noteUsed(deps, origin, used)
      return models.draw(modelId, { ...wish, prompt: promptOf(masked, wish.prompt) }, signal, show)
    },
  }
}

/** Notes with the reply what was replaced. */
async function noteUsed({ db }: Deps, { message_id }: Origin, used: readonly MaskedValue[]): Promise<void> {
  const placeholders = used.flatMap(({ kind, number }) =>
    kind === 'text' ? [] : [placeholderOf(kind, number)],
  )
  if (message_id && placeholders.length > 0) await addMasked(db, message_id, placeholders)
}

function promptOf({ messages }: Pick<Parameters<typeof maskCall>[0], 'messages'>, otherwise: string): string {
  const part = messages.findLast(({ role }) => role === 'user')?.content[0]
  return typeof part === 'object' && part.type === 'text' ? part.text : otherwise
}

/** The chat of a call, or at least its person. */
function originOf(person: string | null): Origin {
  const origin = currentOrigin()
  return { ...origin, user_id: origin.user_id ?? person }
}

const nothing: ReadonlySet<MaskKind> = new Set()

/** Returns the kinds that are replaced in a call to a model. */
async function kindsFor(
  models: Models,
  { db }: Deps,
  { user_id, session_id }: Origin,
  modelId: string,
): Promise<ReadonlySet<MaskKind>> {
  if (modelId === BUILT_IN_MODEL || modelId.startsWith('local/')) return nothing
  const policies = await (user_id === null ? findAllPolicies(db) : findPolicies(db, user_id, session_id))
  if (policies.length === 0) return nothing
  const provider = modelId.slice(0, modelId.indexOf('/'))
  const isNamed = policies.some(({ connections }) => Object.hasOwn(connections, provider))
  const isHere = !policies.some(isOn) && !isNamed ? false : await isLocal(models, modelId)
  return new Set(policies.filter((one) => applies(one, provider, isHere)).flatMap(({ kinds }) => kinds))
}

/**
 * Returns whether a policy replaces details in calls to a provider. An exception counts most, because a gateway in the network may pass
 * calls on. Without one, providers in the network receive everything.
 */
export function applies(policy: Policy, provider: string, isHere: boolean): boolean {
  const { connections } = policy
  if (Object.hasOwn(connections, provider)) return connections[provider] === true
  return isOn(policy) && !isHere
}

const isOn = ({ mode, is_chosen }: Policy) => mode === 'on' || (mode === 'choice' && is_chosen)

/** A model that cannot be found now is treated as an outside one. */
async function isLocal(models: Models, modelId: string): Promise<boolean> {
  const model = await models.find(modelId).catch(() => null)
  return model?.local ?? false
}
