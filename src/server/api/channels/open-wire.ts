import { DEFAULT_ADDRESSES } from '#shared/api/channels/channels.ts'
import type { Platform } from '../../platform/platform.ts'
import type { StoredChannel } from './channel-store.ts'
import { slackWire } from './slack/slack-wire.ts'
import type { Wire } from './wire.ts'

type Reached = Pick<StoredChannel, 'kind' | 'address' | 'tenant_id'> & { token: string }

/** Returns the wire to a service. */
export function wireTo({ outbound }: Pick<Platform, 'outbound'>, { kind, address, token, tenant_id }: Reached): Wire {
  switch (kind) {
    case 'slack':
      return slackWire(outbound, {
        address: address || DEFAULT_ADDRESSES.slack,
        ...{ token, tenantId: tenant_id },
      })
    default:
      return kind satisfies never
  }
}

/** Returns the wire of a stored connection. @throws SecretError */
export function openWire(deps: Pick<Platform, 'outbound' | 'secrets'>, channel: StoredChannel): Wire {
  const token = channel.token_sealed === null ? '' : deps.secrets.open(channel.token_sealed)
  return wireTo(deps, { ...channel, token })
}
