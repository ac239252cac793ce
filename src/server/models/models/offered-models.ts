import type { AvailableModel } from '#shared/models/connections/connections.ts'
import type { Tuning } from '#shared/models/connections/tuning.ts'
import type { ConnectionState } from './catalogue.ts'
import { providerOf } from './provider/providers.ts'

export function offeredModels(state: ConnectionState): AvailableModel[] {
  return state.models
    .filter(({ offered }) => offered)
    .map(({ offered: _, edited: __, fallback: ___, ...model }) => ({
      ...model,
      ...placeOf(state),
      tuning: tuningOf(state.kind, nameIn(state, model.id)),
      is_default: false,
    }))
}

export function unlisted(modelId: string, state: ConnectionState): AvailableModel {
  const name = nameIn(state, modelId)
  const unknown = { context_tokens: null, max_output_tokens: null, input_price: null, output_price: null }
  return {
    ...{ id: modelId, name, ...placeOf(state), ...unknown },
    ...{ tuning: tuningOf(state.kind, name), is_default: false },
  }
}

/** Every language model takes a length of answers. */
const tuningOf = (kind: string, name: string): Tuning[] => [
  ...(providerOf(kind).tuning?.(name) ?? ['temperature' as const]),
  'length',
]

const nameIn = ({ provider }: ConnectionState, id: string) => id.slice(provider.length + 1)

/** Returns a model with the window that a refusal named, where it is smaller than the known one. */
export function withWindow(model: AvailableModel, window: number | undefined): AvailableModel {
  if (window === undefined) return model
  return { ...model, context_tokens: Math.min(window, model.context_tokens ?? window) }
}

export function placeOf({ provider, name, base_url }: ConnectionState) {
  return { provider, provider_name: name, local: isPrivateHost(new URL(base_url).hostname) }
}

/** Returns whether a host is this machine or in a private network (RFC 1918, RFC 4193, .local). */
function isPrivateHost(host: string): boolean {
  return /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[?::1|\[?f[cd])|\.(local|internal|lan)$/i.test(
    host,
  )
}
