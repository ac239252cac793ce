import type { Telemetry, Work } from '../../platform/telemetry/telemetry.ts'
import { providerKinds, providerOf } from './provider/providers.ts'
import type { Models } from './registry.ts'

/** Providers whose name is that of their kind. Self-hosted servers have names given by users. */
const known = ['atrium', 'local', ...providerKinds.filter((kind) => !providerOf(kind).address.isNamed)]

/** Wraps models so that each call is observed under its provider. Providers named by users count as `other`. */
export function observeModels(models: Models, telemetry: Telemetry): Models {
  if (!telemetry.isOn) return models
  const observe = <T>(does: string, modelId: string, perform: (provider: string) => Promise<T>) => {
    const given = modelId.slice(0, Math.max(0, modelId.indexOf('/')))
    const provider = known.includes(given) ? given : 'other'
    const work: Work = { kind: 'model_call', name: `${does} ${provider}`, labels: { does, provider } }
    return telemetry.observe(work, () => perform(provider))
  }
  return {
    ...models,
    stream: (modelId, call, signal, give) =>
      observe('answer', modelId, (provider) =>
        models.stream(modelId, call, signal, (part) => {
          if (part.type === 'usage') countTokens(telemetry, provider, part)
          give(part)
        }),
      ),
    embedders: async () => {
      const find = await models.embedders()
      return (modelId, dimensions) => {
        const embed = find(modelId, dimensions)
        return (...given) => observe('embed', modelId, () => embed(...given))
      }
    },
    draw: (modelId, ...given) => observe('draw', modelId, () => models.draw(modelId, ...given)),
  }
}

function countTokens(
  { metrics }: Telemetry,
  provider: string,
  { input_tokens, output_tokens }: { input_tokens: number; output_tokens: number },
): void {
  metrics?.add('atrium_model_tokens_total', { provider, direction: 'in' }, input_tokens)
  metrics?.add('atrium_model_tokens_total', { provider, direction: 'out' }, output_tokens)
}
