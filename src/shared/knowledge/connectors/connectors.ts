import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, label, queryInt } from '../../platform/primitives.ts'
import { Selection, Settings, SourceId } from './sources.ts'

/**
 * `working`: a sync is under way or waits for its turn. `asking`: it waits for an answer about missing items. `signed_out`: the source
 * refuses the sign-in. `failing`: the last sync failed and is tried again. Documents stay in every state.
 */
export const ConnectorState = z.enum(['ready', 'working', 'paused', 'asking', 'signed_out', 'failing'])
export type ConnectorState = z.infer<typeof ConnectorState>

/** `mirrored`: as in the source, for those among the readers. `named`: all readers. */
export const ConnectorRights = z.enum(['mirrored', 'named'])
export type ConnectorRights = z.infer<typeof ConnectorRights>

/** One of those who may use a connector. */
export const ConnectorReader = z.object({ kind: z.enum(['company', 'group', 'person']), id: Id })
export type ConnectorReader = z.infer<typeof ConnectorReader>

/**
 * `on`: the source reports changes, and syncs at the interval look for missed ones. `off`: it did not accept the request yet. `unreachable`: it
 * would, but only to an https address (`ATRIUM_PUBLIC_URL`). `none`: the source has none that the sign-in could ask for.
 */
export const SourceNotifications = z.enum(['on', 'off', 'unreachable', 'none'])
export type SourceNotifications = z.infer<typeof SourceNotifications>

/** Phases of a sync. */
export const SyncPhase = z.enum(['listing', 'reading'])
export type SyncPhase = z.infer<typeof SyncPhase>

/** Items by what became of them. */
export const SyncCounts = z.object({
  added: z.int(),
  changed: z.int(),
  moved: z.int(),
  removed: z.int(),
  refused: z.int(),
})
export type SyncCounts = z.infer<typeof SyncCounts>

/** Items that the source no longer lists, more than a tenth of all. */
export const Removal = z.object({
  id: Id,
  /** `asked`: waits for an answer, all items stay. `removed`: can be undone until `undo_until`. */
  state: z.enum(['asked', 'removed']),
  missing: z.int(),
  of: z.int(),
  asked_at: z.string(),
  undo_until: z.nullable(z.string()),
  /** The folders with most missing items, at most 10. */
  folders: z.array(z.object({ path: z.string(), missing: z.int() })),
})
export type Removal = z.infer<typeof Removal>

export const Connector = z.object({
  id: Id,
  source: SourceId,
  name: z.string(),
  /** Company that it belongs to; null for a personal one. */
  company_id: z.nullable(Id),
  owner_name: z.string(),
  state: ConnectorState,
  /** Reason of the last failure, in one sentence. */
  error: z.nullable(z.string()),
  /** Settings without secrets. */
  settings: Settings,
  /** Names of the secrets that are stored. */
  secrets: z.array(z.string()),
  selection: Selection,
  rights: ConnectorRights,
  readers: z.array(ConnectorReader),
  /** Minutes between two syncs. */
  every_minutes: z.int(),
  notifications: SourceNotifications,
  last_sync_at: z.nullable(z.string()),
  /** Null while it is paused, asks, or is signed out. */
  next_sync_at: z.nullable(z.string()),
  /** When the rights were last read. Mirrored items are hidden 24 hours later. */
  rights_read_at: z.nullable(z.string()),
  progress: z.nullable(z.object({ phase: SyncPhase, listed: z.int(), waiting: z.int() })),
  /** Items that the source listed in the last complete sync. */
  listed: z.int(),
  /** Items here: stored as documents. */
  read: z.int(),
  /** Items listed with a reason why they are not here. */
  refused: z.int(),
  /** Documents that are being read or embedded, and those that could not be. */
  documents_waiting: z.int(),
  documents_failed: z.int(),
  bytes: z.int(),
  /** Cost of embedding its documents so far, in dollars. 0 with the built-in model. */
  embedding_cost: z.number(),
  removal: z.nullable(Removal),
  created_at: z.string(),
})
export type Connector = z.infer<typeof Connector>

const EveryMinutes = z.int().check(z.gte(5), z.lte(43_200))
const Readers = z.array(ConnectorReader).check(z.maxLength(200))

const content = {
  name: label(1, 100),
  settings: Settings,
  selection: Selection,
  readers: Readers,
  every_minutes: EveryMinutes,
}

const params = z.object({ connectorId: Id })
const MAX_PAGE = 100

export const listConnectors = route({
  method: 'GET',
  path: '/connectors',
  access: 'user',
  summary: 'The personal connectors of the caller and those of companies they administer, by name',
  query: z.object({
    skip: queryInt({ min: 0, max: 100_000, fallback: 0 }),
    limit: queryInt({ min: 1, max: MAX_PAGE, fallback: 50 }),
  }),
  answer: z.object({ items: z.array(Connector), total: z.int() }),
})

export const getConnector = route({
  method: 'GET',
  path: '/connectors/:connectorId',
  access: 'user',
  may: 'read connector',
  summary: 'A connector with its progress, counts and open question',
  params,
  answer: Connector,
})

export const createConnector = route({
  method: 'POST',
  path: '/connectors',
  access: 'user',
  fails: ['forbidden', 'not_found', 'not_available', 'not_granted', 'unavailable', 'conflict'],
  summary:
    'Connect a source. Its sign-in is tried first; without `start` nothing is read yet. A source with a sign-in page waits for that',
  status: 201,
  body: z.object({
    source: SourceId,
    company_id: z.nullable(Id),
    ...content,
    rights: ConnectorRights,
    start: z._default(z.boolean(), true),
  }),
  answer: Connector,
})

export const changeConnector = route({
  method: 'PATCH',
  path: '/connectors/:connectorId',
  access: 'user',
  may: 'manage connector',
  fails: ['forbidden', 'not_available', 'unavailable', 'conflict'],
  summary:
    'Change a connector; fields and secrets left out stay as they are. Changed settings sign in again and begin a sync. Rights can only be chosen before the first one',
  params,
  body: z.partial(z.object({ ...content, rights: ConnectorRights })),
  answer: Connector,
})

export const pauseConnector = route({
  method: 'POST',
  path: '/connectors/:connectorId/pause',
  access: 'user',
  may: 'manage connector',
  summary: 'Pause a connector. What was read stays',
  params,
  answer: Connector,
})

export const syncConnector = route({
  method: 'POST',
  path: '/connectors/:connectorId/sync',
  access: 'user',
  may: 'manage connector',
  fails: ['conflict'],
  summary: 'Sync now; continues a paused connector. Refused while a question about missing items is open',
  params,
  answer: Connector,
})

export const removeConnector = route({
  method: 'POST',
  path: '/connectors/:connectorId/remove',
  access: 'user',
  may: 'manage connector',
  fails: ['conflict'],
  summary:
    'Remove a connector. Its documents are deleted, or kept as ordinary private documents of its owner, which mirrored rights do not allow',
  params,
  status: 204,
  body: z.object({ documents: z.enum(['delete', 'keep']) }),
})
