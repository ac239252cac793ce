import type { Secrets } from '../../../platform/secrets.ts'
import { type Configured, openKey, type Unruled } from '../configured.ts'
import { FIRST_KEY, type PoolKey } from './keys.ts'
import { noLimits, type Rules } from './rules-store.ts'

/** Returns a connection with its keys and limits. Additional keys that cannot be decrypted are left out. */
export function ruledBy({ keys, rests, limits }: Rules, secrets: Secrets, connection: Unruled): Configured {
  const { id, provider, api_key } = connection
  const further = keys
    .filter(({ connection_id }) => connection_id === id)
    .map((row) => ({ id: row.id, api_key: openKey(secrets, row.api_key_sealed).api_key }))
  const pool = [{ id: FIRST_KEY, api_key }, ...further].flatMap((key): PoolKey[] => {
    if (key.api_key === null) return []
    const rest = rests.find(({ connection_id, key_id }) => connection_id === id && key_id === key.id)
    return [
      { id: key.id, api_key: key.api_key, rest: rest ? { until: rest.until, refused: rest.refused } : null },
    ]
  })
  const { provider: _, ...own } = limits.find((limit) => limit.provider === provider) ?? {
    provider,
    ...noLimits,
  }
  return { ...connection, keys: pool, limits: own }
}
