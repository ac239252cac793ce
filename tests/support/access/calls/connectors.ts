import { body, type Described, lists, nothing } from './described.ts'

const selection = { folders: [], include: [], exclude: [] }
/** Settings of a source that is not offered: the call ends after the access checks. */
const trial = { source: 'unknown', settings: {}, company_id: null }

/** Calls of connectors and their sources. */
export const connectorCalls: Record<string, Described[]> = {
  'GET /connector-sources': [nothing],
  'POST /connector-sources/try': [body(trial)],
  'POST /connector-sources/browse': [body(trial)],
  'POST /connector-sources/count': [body({ ...trial, selection })],
  'GET /connectors': [lists('read connector', ({ connectorId }) => connectorId)],
  'POST /connectors': [
    body({ ...trial, selection, name: 'Contracts', readers: [], every_minutes: 60, rights: 'named' }),
  ],
  'GET /connectors/:connectorId': [nothing],
  'PATCH /connectors/:connectorId': [body({ name: 'Contracts' })],
  'POST /connectors/:connectorId/sign-in': [nothing],
  'GET /connector-sign-ins/return': [nothing],
  'POST /connectors/:connectorId/notifications': [nothing],
  'POST /connectors/:connectorId/pause': [nothing],
  'POST /connectors/:connectorId/sync': [nothing],
  'POST /connectors/:connectorId/remove': [body({ documents: 'delete' })],
  'GET /connectors/:connectorId/items': [nothing],
  'POST /connectors/:connectorId/items/:itemId/retry': [nothing],
  'GET /connectors/:connectorId/syncs': [nothing],
  'POST /connectors/:connectorId/removal': [
    { body: ({ removalId }) => ({ removal_id: removalId, answer: 'keep' }) },
  ],
  'POST /connectors/:connectorId/removal/undo': [{ body: ({ removalId }) => ({ removal_id: removalId }) }],
}
