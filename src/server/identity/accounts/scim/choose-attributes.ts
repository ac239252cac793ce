type Resource = Readonly<Record<string, unknown>>
/** Attribute names in lower case: whole (`members`) or partial (`name.familyname`). */
export type Chosen = { only: string[] | null; without: string[] }

const always = ['schemas', 'id']

/** Parses `attributes` and `excludedAttributes` (RFC 7644, 3.9); the first takes precedence. */
export function readChoice({
  attributes,
  excludedAttributes,
}: {
  attributes: string
  excludedAttributes: string
}): Chosen {
  const only = split(attributes)
  return only.length > 0 ? { only, without: [] } : { only: null, without: split(excludedAttributes) }
}

export function wants({ only, without }: Chosen, name: string): boolean {
  if (only) return only.some((path) => path === name || path.startsWith(`${name}.`))
  return !without.includes(name)
}

/** Returns the chosen attributes of a resource. `schemas` and `id` are always included. */
export function chooseAttributes(resource: Resource, chosen: Chosen): Resource {
  const entries = Object.entries(resource).flatMap(([key, value]) => {
    const name = key.toLowerCase()
    if (always.includes(name)) return [[key, value] as const]
    if (!wants(chosen, name)) return []
    return [[key, chooseParts(value, name, chosen)] as const]
  })
  return Object.fromEntries(entries)
}

function chooseParts(value: unknown, name: string, chosen: Chosen): unknown {
  if (Array.isArray(value)) return value.map((one) => chooseParts(one, name, chosen))
  if (typeof value !== 'object' || value === null) return value
  const { only, without } = chosen
  const isWanted = (part: string) =>
    only ? only.includes(name) || only.includes(`${name}.${part}`) : !without.includes(`${name}.${part}`)
  return Object.fromEntries(Object.entries(value).filter(([part]) => isWanted(part.toLowerCase())))
}

const split = (names: string) =>
  names
    .toLowerCase()
    .split(',')
    .map((name) => name.trim().replace(/^urn:ietf:params:scim:schemas:core:2\.0:\w{1,20}:/, ''))
    .filter((name) => name !== '')
