/** Keys whose values a model wrote. */
const WRITTEN = ['args', 'partialArgs']
const MAX_DEPTH = 8

/** Returns an answer with the keys of the API. Some gateways send those of the Python SDK: `function_call`. */
export function withCamelKeys<Chunk extends object>(chunk: Chunk): Chunk {
  return hasSnakeKey(chunk, 0) ? (toCamel(chunk, 0) as Chunk) : chunk
}

function hasSnakeKey(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false
  if (Array.isArray(value)) return value.some((one) => hasSnakeKey(one, depth + 1))
  return Object.entries(value).some(
    ([key, one]) => key.includes('_') || (!WRITTEN.includes(key) && hasSnakeKey(one, depth + 1)),
  )
}

function toCamel(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map((one) => toCamel(one, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      return [name, WRITTEN.includes(name) ? one : toCamel(one, depth + 1)]
    }),
  )
}
