import type { Platform } from '../../platform/platform.ts'
import type { StoredChannel } from './channel-store.ts'
import { slackWire } from './slack/slack-wire.ts'
import type { TokenCache } from './teams/teams-requests.ts'
import { teamsWire } from './teams/teams-wire.ts'
import type { Wire } from './wire.ts'

type Reached = Pick<StoredChannel, 'kind' | 'address' | 'app_id' | 'tenant_id' | 'graph' | 'services'> & {
  secret: string
  token: string
}

/** Access tokens of applications, which every message would otherwise ask for. */
const tokens = new WeakMap<Platform['outbound'], TokenCache>()

/** Returns the wire to a service. */
export function wireTo({ outbound }: Pick<Platform, 'outbound'>, reached: Reached): Wire {
  switch (reached.kind) {
    case 'slack':
      return slackWire(outbound, {
        ...{ address: reached.address, token: reached.token, tenantId: reached.tenant_id },
      })
    case 'teams': {
      const cache = tokens.get(outbound) ?? new Map()
      tokens.set(outbound, cache)
      return teamsWire(outbound, reached, cache)
    }
    default:
      return reached.kind satisfies never
  }
}

/** Returns the wire of a stored connection. @throws SecretError */
export function openWire(deps: Pick<Platform, 'outbound' | 'secrets'>, channel: StoredChannel): Wire {
  const token = channel.token_sealed === null ? '' : deps.secrets.open(channel.token_sealed)
  return wireTo(deps, { ...channel, token, secret: deps.secrets.open(channel.secret_sealed) })
}
