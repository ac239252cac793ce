import { body, type Described, lists, nothing } from './described.ts'

/** A pick that does not exist: it belongs to the person who began it, and its routes find no other. */
const NO_PICK = '00000000-0000-4000-8000-000000000000'
const selection = { folders: [], include: [], exclude: [] }
/** Settings of a source that is not offered: the call ends after the access checks. */
const trial = { source: 'unknown', settings: {}, company_id: null }

/** Calls of connectors and their sources. */
export const connectorCalls: Record<string, Described[]> = {
  'GET /connector-sources': [nothing],
  'POST /connector-sources/try': [body(trial)],
  'POST /connector-sources/browse': [body(trial)],
  'POST /connector-sources/count': [body({ ...trial, selection })],
  'GET /readable-connectors': [nothing],
  'GET /file-picks/ways': [nothing],
  'POST /file-picks': [
    {
      names: 'write session',
      body: ({ sessionId }) => ({ way: 'unknown', settings: {}, chat_session_id: sessionId }),
    },
  ],
  'GET /file-picks/state': [{ query: () => ({ pick_id: NO_PICK }) }],
  'POST /file-picks/browse': [body({ pick_id: NO_PICK })],
  'POST /file-picks/take': [
    {
      names: 'write session',
      body: ({ sessionId }) => ({ pick_id: NO_PICK, chat_session_id: sessionId, id: 'a.txt' }),
    },
  ],
  'POST /file-picks/end': [body({ pick_id: NO_PICK })],
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
