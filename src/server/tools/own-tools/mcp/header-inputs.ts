const MAX_DEPTH = 6

/**
 * Returns the part of a schema that says which inputs are also sent as headers (`x-mcp-header`, MCP 2026-07-28); null if
 * there are none. Only nested properties count.
 */
export function headerInputs(schema: Record<string, unknown>, depth = 0): Record<string, unknown> | null {
  if (depth > MAX_DEPTH) return null
  const properties = Object.entries(asRecord(schema.properties)).flatMap(([name, value]) => {
    const own = asRecord(value)
    const inner = headerInputs(own, depth + 1)
    const header = own['x-mcp-header']
    if (typeof header !== 'string') return inner ? [[name, inner]] : []
    return [[name, { type: own.type, 'x-mcp-header': header }]]
  })
  return properties.length === 0 ? null : { type: 'object', properties: Object.fromEntries(properties) }
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
