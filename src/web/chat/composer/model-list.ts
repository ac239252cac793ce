import type { AvailableModel } from '#shared/models/connections/connections.ts'

export type ModelGroup = { name: 'hosted' | 'local'; models: AvailableModel[] }

/** Returns models whose name contains every word of `query`: hosted ones first, then own ones. */
export function groupModels(models: readonly AvailableModel[], query: string): ModelGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = models.filter((model) => {
    const name = `${model.id} ${model.name} ${model.provider_name}`.toLowerCase()
    return words.every((word) => name.includes(word))
  })
  const groups: ModelGroup[] = [
    { name: 'hosted', models: found.filter(({ local }) => !local) },
    { name: 'local', models: found.filter(({ local }) => local) },
  ]
  return groups.filter((group) => group.models.length > 0)
}

/** Returns the model of a session: the chosen one, otherwise the default. */
export function modelOf(models: readonly AvailableModel[], name: string | null): AvailableModel | null {
  if (name !== null) return models.find(({ id }) => id === name) ?? null
  return models.find(({ is_default }) => is_default) ?? models[0] ?? null
}

/** Formats a context size as `128k` or `1M`. */
export function shortTokens(tokens: number): string {
  if (tokens >= 1_000_000) return `${Number((tokens / 1_000_000).toFixed(1))}M`
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : String(tokens)
}
