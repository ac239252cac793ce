import type { AvailableModel } from '#shared/models/connections/connections.ts'

/** Providers and models listed even if none of them is connected; the first model of the first provider is preferred. */
const known = {
  openai: ['gpt-4o', 'gpt-3.5-turbo'],
  anthropic: ['claude-3-haiku-20240307', 'claude-3-opus-20240229'],
  google: ['gemini-2.0-flash', 'gemini-2.0-pro-exp-02-05'],
}

export type RagModel = { value: string; isThere: boolean }
export type RagProvider = { value: string; name: string; isThere: boolean; models: RagModel[] }

/** Returns providers with their models: connected and known ones. `available` is undefined if unknown. */
export function providersOf(available: readonly AvailableModel[] | undefined): RagProvider[] {
  const connected = Map.groupBy(available ?? [], ({ provider }) => provider)
  const providers = new Set([...Object.keys(known), ...connected.keys()])
  return [...providers].map((value): RagProvider => {
    const here = connected.get(value) ?? []
    const named = Object.entries(known).find(([name]) => name === value)?.[1] ?? []
    const names = here.map(({ id }) => id.slice(value.length + 1))
    const models = [...new Set([...named, ...names])].map((model): RagModel => {
      return { value: model, isThere: available === undefined || names.includes(model) }
    })
    return { value, name: here[0]?.provider_name ?? value, isThere: models.some(isThere), models }
  })
}

/** Returns the choice if it is available; otherwise the preferred, the default, or the first model. */
export function chosenOf(
  providers: readonly RagProvider[],
  { provider, model }: { provider: string; model: string },
  available: readonly AvailableModel[] | undefined,
): { provider: string; model: string; models: RagModel[] } {
  const own = providers.find(({ value }) => value === provider)
  const usual = available?.find(({ is_default }) => is_default)
  const preferred = providers[0]?.models[0]?.isThere ? providers[0] : undefined
  const chosen =
    own ?? preferred ?? providers.find(({ value }) => value === usual?.provider) ?? providers.find(isThere)
  if (!chosen) return { provider: '', model: '', models: [] }
  const isUsual = chosen.value === usual?.provider && chosen !== preferred
  const wanted = [model, ...(isUsual ? [usual.id.slice(chosen.value.length + 1)] : [])]
  const found =
    wanted.map((name) => chosen.models.find((one) => one.value === name && one.isThere)).find(Boolean) ??
    chosen.models.find(isThere)
  return { provider: chosen.value, model: found?.value ?? '', models: chosen.models }
}

const isThere = (one: { isThere: boolean }) => one.isThere
