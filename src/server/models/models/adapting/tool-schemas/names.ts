/** Property names at a provider by their original names, nested like the schema. `wrapped` is the property that holds the whole value. */
export type NameTree = {
  renamed: Map<string, string>
  properties: Map<string, NameTree>
  items: NameTree | null
  wrapped?: string
}

export const noNames = (): NameTree => ({ renamed: new Map(), properties: new Map(), items: null })

export const hasNames = ({ renamed, properties, items, wrapped }: NameTree): boolean =>
  renamed.size > 0 || properties.size > 0 || wrapped !== undefined || (items !== null && hasNames(items))

/** Adds the names of a variant to those of its schema. */
export function addNames(to: NameTree, from: NameTree): void {
  for (const [name, renamed] of from.renamed) to.renamed.set(name, renamed)
  for (const [name, inner] of from.properties) to.properties.set(name, inner)
  to.items ??= from.items
}

/** Replaces original names with the provider's. */
export function renameForth(value: unknown, names: NameTree): unknown {
  const inner = names.items
  if (names.wrapped) return { [names.wrapped]: value }
  if (Array.isArray(value)) return inner ? value.map((one) => renameForth(one, inner)) : value
  if (typeof value !== 'object' || value === null) return value
  const renamed = Object.entries(value).map(([name, one]) => {
    const deeper = names.properties.get(name)
    return [names.renamed.get(name) ?? name, deeper ? renameForth(one, deeper) : one]
  })
  return Object.fromEntries(renamed)
}

/** Restores the original names of a value. */
export function renameBack(value: unknown, names: NameTree): unknown {
  const inner = names.items
  if (Array.isArray(value)) return inner ? value.map((one) => renameBack(one, inner)) : value
  if (typeof value !== 'object' || value === null) return value
  const given = value as Record<string, unknown>
  if (names.wrapped && Object.hasOwn(given, names.wrapped)) return given[names.wrapped]
  const own = new Map([...names.renamed].map(([name, renamed]) => [renamed, name]))
  const renamed = Object.entries(given).map(([called, one]) => {
    const name = own.get(called) ?? called
    const deeper = names.properties.get(name)
    return [name, deeper ? renameBack(one, deeper) : one]
  })
  return Object.fromEntries(renamed)
}
