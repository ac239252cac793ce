/**
 * Kinds of failed model calls with the sentence that is stored, logged and returned. The interface parses the kind
 * from the sentence and translates it.
 */
export const providerTroubles = {
  unauthorized: 'The model provider refused the key',
  rate_limited: 'The model provider is limiting requests',
  no_room: 'The limit of this connection for a minute is reached',
  overloaded: 'The model provider has a problem',
  bad_request: 'The model provider refused the request',
  too_long: 'The conversation is too long for this model',
  not_found: 'The model provider does not know this model',
  wrong_address: 'No model server answers',
  no_list: 'The server lists no models',
  timeout: 'The model provider did not answer in time',
  interrupted: 'The answer was cut off',
  unreachable: 'The model provider cannot be reached',
  invalid_answer: 'The model provider sent something that is no answer',
  filtered: 'The content filter of the model provider stopped the answer',
  cut: 'The answer was cut',
  not_available: 'This model is not available',
} as const

export type ProviderTrouble = keyof typeof providerTroubles

const ADDRESS = 'No model server answers at '
const ADDRESS_HINT = '; the address of most servers ends in /v1.'

/** Returns one sentence: the failure, followed by the provider's own words when there are any. */
export function sayTrouble(kind: ProviderTrouble, said?: string): string {
  if (kind === 'wrong_address' && said) return `${ADDRESS}${said.slice(0, 500)}${ADDRESS_HINT}`
  return said ? `${providerTroubles[kind]}: ${said.slice(0, 500)}` : `${providerTroubles[kind]}.`
}

/** Parses a stored sentence; returns null for any other. Names of network errors do not count as the provider's words. */
export function readTrouble(sentence: string): { kind: ProviderTrouble; said: string } | null {
  if (sentence.startsWith(ADDRESS) && sentence.endsWith(ADDRESS_HINT))
    return { kind: 'wrong_address', said: sentence.slice(ADDRESS.length, -ADDRESS_HINT.length) }
  for (const [kind, opening] of Object.entries(providerTroubles)) {
    if (sentence === `${opening}.`) return { kind: kind as ProviderTrouble, said: '' }
    if (!sentence.startsWith(`${opening}: `)) continue
    const said = sentence.slice(opening.length + 2)
    return { kind: kind as ProviderTrouble, said: /^E[A-Z_]+$/.test(said) ? '' : said }
  }
  return null
}
