type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fills in fields of an `initialize` answer that the SDK requires but no one uses. Other results are unchanged. */
export function tidyHandshake(result: Fields): Fields {
  if (typeof result.protocolVersion !== 'string') return result
  const { name, version, ...about } = isFields(result.serverInfo) ? result.serverInfo : {}
  const capabilities = isFields(result.capabilities) ? Object.entries(result.capabilities) : []
  return {
    ...result,
    capabilities: Object.fromEntries(
      capabilities.flatMap(([key, value]) => {
        if (value === null || value === false) return []
        return [[key, isFields(value) ? value : {}]]
      }),
    ),
    serverInfo: { ...about, name: asText(name), version: asText(version) },
  }
}

const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
