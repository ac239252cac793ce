import type { Endpoint } from '../wire/dialect.ts'

/** Returns the header with the key for wires that OpenAI defined; none without a key. */
export function keyHeaders({ api_key, key_header }: Endpoint): Record<string, string> {
  if (!api_key) return {}
  return key_header === 'api-key' ? { 'api-key': api_key } : { authorization: `Bearer ${api_key}` }
}
