import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionKind } from '#shared/models/connections/provider-form.ts'
import { sayTrouble } from '#shared/models/connections/provider-trouble.ts'
import { createClassGate } from '../../../platform/access/classes/classes.ts'
import type { Database } from '../../../platform/db/db.ts'
import { type GivePart, type MinuteLimit, ModelError, type Usage } from '../port.ts'
import { providerOf } from '../provider/providers.ts'
import type { Endpoint } from '../wire/dialect.ts'
import type { Gate } from '../wire/gate.ts'
import { type PoolKey, pickKey, restAfter, soonestKey, type Turns } from './keys.ts'
import { type ConnectionLimits, leaveRoom, restKey, settleRoom, takeRoom, wakeKeys } from './rules-store.ts'

/** The longest wait for room. After a minute, earlier requests no longer count. */
const WAIT_MAX_MS = 60_000

type Ruled = Endpoint & {
  id: string
  name: string
  kind: ConnectionKind
  keys: readonly PoolKey[]
  limits: ConnectionLimits
}

/** The gate of one call, which also receives the usage of the answer. */
export type RuleGate = Gate & {
  /** Records that the provider answered: the key works, and `usage` replaces the estimate. */
  answered: (usage: Pick<Usage, 'input_tokens' | 'output_tokens'> | null) => Promise<void>
}

/**
 * Rotates the calls of a connection through its keys, and enforces its limits per minute across all processes. No request leaves with
 * text of a class that the provider may not receive.
 * `reckon` estimates the tokens of a request until the answer reports them.
 */
export function createRuleGate(
  { db, turns }: { db: Database; turns: Turns },
  connection: Ruled,
  reckon: () => Promise<number>,
): RuleGate {
  const { id: connection_id, provider, limits } = connection
  const { authorize, forget } = providerOf(connection.kind)
  const keys = connection.keys.map((one) => ({ ...one }))
  /** The key of the latest request. */
  let key: PoolKey | undefined
  let request: string | null = null

  const classes = createClassGate(db, { id: provider, name: connection.name })
  const isLimited = limits.requests_per_minute !== null || limits.tokens_per_minute !== null
  const waitForRoom = async (signal: AbortSignal, give?: GivePart) => {
    const tokens = limits.tokens_per_minute === null ? 0 : await reckon()
    const room = await takeRoom(db, provider, tokens, WAIT_MAX_MS)
    request = room.request
    if (request === null && room.reached) throw new ModelError('no_room', sayTrouble('no_room'))
    if (request === null || room.wait_ms === 0) return
    give?.({ type: 'waiting', limit: limitOf(limits, room.reached) })
    await sleep(room.wait_ms, undefined, { signal }).catch(async () => {
      if (request) await leaveRoom(db, request)
      signal.throwIfAborted()
    })
    give?.({ type: 'waiting', limit: null })
  }
  return {
    enter: async (signal, give) => {
      if (isLimited) await waitForRoom(signal, give)
      // After all waits, because classes may change meanwhile.
      await classes.assert()
      key = pickKey(keys, turns.next(connection_id)) ?? soonestKey(keys)
      const endpoint = { ...endpointOf(connection), api_key: key?.api_key ?? null }
      return authorize ? authorize(endpoint) : endpoint
    },
    failed: async (error) => {
      const rest = restAfter(error)
      if (rest?.refused) forget?.({ ...endpointOf(connection), api_key: key?.api_key ?? null })
      if (!rest || !key) return false
      key.rest = { until: new Date(Date.now() + rest.seconds * 1000), refused: rest.refused }
      await restKey(db, { connection_id, key_id: key.id, ...rest })
      return pickKey(keys, 0) !== undefined
    },
    answered: async (usage) => {
      if (key?.rest) await wakeKeys(db, connection_id, key.id)
      if (request && usage) await settleRoom(db, request, usage.input_tokens + usage.output_tokens)
    },
  }
}

const endpointOf = ({ provider, base_url, key_header, entra, options }: Ruled) => ({
  ...{ provider, base_url, key_header, entra, options },
})

function limitOf(limits: ConnectionLimits, reached: MinuteLimit['of'] | null): MinuteLimit | null {
  const per_minute = reached === 'tokens' ? limits.tokens_per_minute : limits.requests_per_minute
  return reached && per_minute ? { of: reached, per_minute } : null
}
