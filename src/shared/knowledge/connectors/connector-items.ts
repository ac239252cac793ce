import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt } from '../../platform/primitives.ts'
import { Connector, SyncCounts } from './connectors.ts'

/** Why an item of a source is not here. */
export const ItemReason = z.enum([
  ...(['too_large', 'empty', 'not_found', 'refused', 'unreadable', 'unavailable', 'quota_exceeded'] as const),
])
export type ItemReason = z.infer<typeof ItemReason>

/** `waiting`: not read yet. `failed`: stored, but its text could not be read. `missing`: no longer listed by the source. */
export const ItemState = z.enum(['waiting', 'refused', 'failed', 'missing'])
export type ItemState = z.infer<typeof ItemState>

/** An item whose state here differs from the source. */
export const ConnectorItem = z.object({
  id: Id,
  state: ItemState,
  reason: z.nullable(ItemReason),
  /** Sentence of the source or reader, when there is one. */
  detail: z.nullable(z.string()),
  name: z.string(),
  path: z.string(),
  url: z.nullable(z.string()),
  size: z.nullable(z.int()),
  tries: z.int(),
  since: z.string(),
})
export type ConnectorItem = z.infer<typeof ConnectorItem>

/** A finished sync. */
export const Sync = z.object({
  id: Id,
  began_at: z.string(),
  ended_at: z.string(),
  counts: SyncCounts,
  /** Reason of a failure, in one sentence. */
  error: z.nullable(z.string()),
})
export type Sync = z.infer<typeof Sync>

const params = z.object({ connectorId: Id })
const page = {
  skip: queryInt({ min: 0, max: 10_000_000, fallback: 0 }),
  limit: queryInt({ min: 1, max: 100, fallback: 50 }),
}

export const listConnectorItems = route({
  method: 'GET',
  path: '/connectors/:connectorId/items',
  access: 'user',
  may: 'manage connector',
  summary: 'The items that differ from the source, each with its reason, by path',
  params,
  query: z.object({ ...page, state: z.optional(ItemState) }),
  answer: z.object({ items: z.array(ConnectorItem), total: z.int() }),
})

export const retryConnectorItem = route({
  method: 'POST',
  path: '/connectors/:connectorId/items/:itemId/retry',
  access: 'user',
  may: 'manage connector',
  fails: ['not_found'],
  summary: 'Read a refused or failed item again',
  params: z.object({ connectorId: Id, itemId: Id }),
  answer: ConnectorItem,
})

export const listSyncs = route({
  method: 'GET',
  path: '/connectors/:connectorId/syncs',
  access: 'user',
  may: 'read connector',
  summary: 'The finished syncs of the last 90 days, newest first',
  params,
  query: z.object(page),
  answer: z.object({ items: z.array(Sync) }),
})

export const answerRemoval = route({
  method: 'POST',
  path: '/connectors/:connectorId/removal',
  access: 'user',
  may: 'manage connector',
  fails: ['conflict'],
  summary:
    'Answer the question about missing items: remove them, which can be undone for 30 days, or keep them and ask again with the next sync',
  params,
  body: z.object({ removal_id: Id, answer: z.enum(['remove', 'keep']) }),
  answer: Connector,
})

export const undoRemoval = route({
  method: 'POST',
  path: '/connectors/:connectorId/removal/undo',
  access: 'user',
  may: 'manage connector',
  fails: ['conflict'],
  summary: 'Bring back the items of a confirmed removal, within 30 days',
  params,
  body: z.object({ removal_id: Id }),
  answer: Connector,
})
