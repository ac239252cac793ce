import { possibleBases, rememberBase } from '../addresses/bases.ts'
import { ModelError } from '../port.ts'
import type { Endpoint } from './dialect.ts'
import { isNoServer } from './failures.ts'

/** Asks a server at its possible base addresses, one after the other, until one of them has a server. @throws the first failure when none has */
export async function atItsBase<T>(
  version: string | null,
  endpoint: Endpoint,
  ask: (endpoint: Endpoint) => Promise<T>,
): Promise<T> {
  let first: ModelError | null = null
  for (const base_url of possibleBases(endpoint.base_url, version)) {
    try {
      const answer = await ask({ ...endpoint, base_url })
      rememberBase(endpoint.base_url, base_url)
      return answer
    } catch (error) {
      if (!(error instanceof ModelError) || !isNoServer(error)) throw error
      first ??= error
    }
  }
  throw first
}
