import { connectorCalls } from './connectors.ts'
import { body, type Described, lists, nothing } from './described.ts'

/** Calls of the library and its search. */
export const library: Record<string, Described[]> = {
  ...connectorCalls,
  'GET /documents': [
    lists('read document', ({ documentId }) => documentId),
    {
      names: 'read session',
      query: ({ sessionId }) => ({ chat_session_id: sessionId }),
    },
    {
      names: 'read workspace',
      query: ({ workspaceId }) => ({ workspace_id: workspaceId }),
    },
  ],
  'GET /documents/months': [
    nothing,
    {
      names: 'read session',
      query: ({ sessionId }) => ({ chat_session_id: sessionId }),
    },
    {
      names: 'read workspace',
      query: ({ workspaceId }) => ({ workspace_id: workspaceId }),
    },
  ],
  'GET /workspaces/:workspaceId/connectors': [nothing],
  'POST /workspaces/:workspaceId/connectors': [
    { body: ({ connectorId }) => ({ connector_id: connectorId, is_in: true }) },
  ],
  'GET /documents/state': [nothing],
  'POST /documents/upload': [{ upload: true }],
  'POST /documents/uploads': [
    body({ name: 'a.txt', size: 4 }),
    {
      names: 'write document',
      body: ({ documentId }) => ({ name: 'a.txt', size: 4, document_id: documentId }),
    },
    {
      names: 'write workspace',
      body: ({ workspaceId }) => ({ name: 'a.txt', size: 4, workspace_id: workspaceId }),
    },
    {
      names: 'write session',
      body: ({ sessionId }) => ({ name: 'a.txt', size: 4, chat_session_id: sessionId }),
    },
  ],
  'GET /documents/uploads': [lists('read upload', ({ uploadId }) => uploadId)],
  'GET /documents/uploads/:uploadId': [nothing],
  'POST /documents/uploads/:uploadId/parts': [{ upload: true }],
  'POST /documents/uploads/:uploadId/complete': [nothing],
  'DELETE /documents/uploads/:uploadId': [nothing],
  'GET /documents/:documentId': [nothing],
  'PATCH /documents/:documentId': [body({ is_starred: true })],
  'DELETE /documents/:documentId': [
    nothing,
    { names: 'write workspace', query: ({ workspaceId }) => ({ workspace_id: workspaceId }) },
  ],
  'GET /documents/:documentId/content': [nothing],
  'POST /documents/:documentId/playback': [body({ version: 1 })],
  'GET /playback/:ticket': [nothing],
  'GET /documents/:documentId/files/:name': [nothing],
  'GET /documents/:documentId/elements': [nothing],
  'GET /documents/:documentId/chunks': [nothing],
  'GET /documents/:documentId/chunks/:chunkId': [nothing],
  'GET /documents/:documentId/report': [nothing],
  'POST /documents/:documentId/reprocess': [body({ pipeline: 'normal' })],
  'POST /documents/:documentId/retry': [nothing],
  'POST /documents/:documentId/cancel': [nothing],
  'GET /documents/:documentId/versions': [nothing],
  'POST /documents/:documentId/versions': [{ upload: true }],
  'POST /documents/:documentId/versions/:version/restore': [nothing],
  'POST /documents/:documentId/transcribe': [nothing],
  'GET /workspaces': [lists('read workspace', ({ workspaceId }) => workspaceId)],
  'POST /workspaces': [
    body({ name: 'Lots' }),
    { names: 'write session', body: ({ sessionId }) => ({ name: 'Lots', chat_session_id: sessionId }) },
  ],
  'GET /workspaces/:workspaceId': [nothing],
  'PUT /workspaces/:workspaceId': [body({ name: 'Other' })],
  'DELETE /workspaces/:workspaceId': [nothing],
  'GET /documents/workspace/:workspaceId/documents': [lists('read document', ({ documentId }) => documentId)],
  'GET /documents/workspace/:workspaceId/documents/count': [nothing],
  'POST /documents/workspace/:workspaceId/documents': [
    { names: 'read document', body: ({ documentId }) => ({ document_ids: [documentId] }) },
  ],
  'POST /search_and_rerank/search_and_rerank': [
    body({ query: 'rent' }),
    { names: 'read session', body: ({ sessionId }) => ({ query: 'rent', chat_session_id: sessionId }) },
    { names: 'read workspace', body: ({ workspaceId }) => ({ query: 'rent', workspace_ids: [workspaceId] }) },
  ],
  'POST /search_and_rerank/explain': [
    { names: 'read document', body: ({ chunkId }) => ({ query: 'rent', chunk_id: chunkId }) },
  ],
  'POST /rag/passages': [body({ chunk_ids: ['00000000-0000-4000-8000-000000000000'] })],
  'POST /rag/generate': [
    body({ query: 'rent', model: 'atrium/offline' }),
    {
      names: 'read session',
      body: ({ sessionId }) => ({ query: 'rent', model: 'atrium/offline', chat_session_id: sessionId }),
    },
    {
      names: 'read workspace',
      body: ({ workspaceId }) => ({ query: 'rent', model: 'atrium/offline', workspace_ids: [workspaceId] }),
    },
  ],
  'GET /vector_db/status': [nothing],
  'GET /vector_db/collections': [nothing],
  'POST /vector_db/collections': [body({ name: 'Other', configuration: { embedding_model: 'e5-base-v2' } })],
  'DELETE /vector_db/collections/:collection': [{ query: () => ({ confirm: 'true' }) }],
  'POST /vector_db/objects': [body({ collection_name: 'Documents' })],
  'POST /vector_db/objects/by-id': [
    {
      names: 'read document',
      orSuperAdmin: true,
      body: ({ objectId }) => ({ collection_name: 'Documents', object_id: objectId }),
    },
  ],
  'DELETE /vector_db/chunks': [
    { body: ({ objectId }) => ({ collection_name: 'Documents', chunk_id: objectId }) },
  ],
  'DELETE /vector_db/documents': [
    { body: ({ objectId }) => ({ collection_name: 'Documents', object_id: objectId }) },
  ],
  'GET /search/vector-info/:collection': [nothing],
  'GET /reranking/rerankers': [nothing],
  'GET /reranking/available': [nothing],
}
