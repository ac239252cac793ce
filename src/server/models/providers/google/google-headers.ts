import type { Endpoint } from '../../models/wire/dialect.ts'

/** The header that carries an API key of Google, or an access token of Google Cloud. */
export function googleHeaders({ api_key, key_header }: Endpoint): Record<string, string> {
  if (!api_key) return {}
  return key_header === 'authorization'
    ? { authorization: `Bearer ${api_key}` }
    : { 'x-goog-api-key': api_key }
}
