import type { FuzzedRequest } from './requests.ts'
import type { Who } from './rows.ts'
import type { Known } from './values.ts'
import { objectIds } from './vector-rows.ts'

/** A request that reaches its route's own code, sent before all others. */
export type CertainRequest = { route: string; who: Who; asked: FuzzedRequest }

/** For routes that need related rows, or another user's; random requests find those too rarely. */
export function certainRequests(known: Known): CertainRequest[] {
  const first = (name: string) => String(known(name)[0])
  const shelf = `/documents/workspace/${first('workspaceId')}`
  const main = `/sessions/${first('sessionId')}`
  const [{ id = '', ...target } = {}] = known('place to return to') as Record<string, string>[]
  const ask = (route: string, path: string, sent?: object, who: Who = 'user'): CertainRequest => {
    const [method = ''] = route.split(' ')
    const headers: FuzzedRequest['headers'] = sent ? { 'content-type': 'application/json' } : {}
    return { route, who, asked: { method, path, headers, body: sent && JSON.stringify(sent) } }
  }
  return [
    ask('GET /login/{provider}/metadata', '/login/saml-abcdefgh/metadata'),
    ask('GET /sessions/{sessionId}/active-branch', `${main}/active-branch`),
    ask(
      'POST /sessions/{sessionId}/messages/{messageId}/generate',
      `${main}/messages/${first('messageId')}/generate`,
      {},
    ),
    ask(
      'POST /sessions/{sessionId}/navigate-to-checkpoint',
      `/sessions/${id}/navigate-to-checkpoint`,
      target,
    ),
    ask(
      'POST /sessions/{sessionId}/messages/{messageId}/regenerate',
      `${main}/messages/${String(known('messageId')[1])}/regenerate`,
      {},
    ),
    ask(
      'POST /sessions/{sessionId}/messages/{messageId}/edit-and-regenerate',
      `${main}/messages/${first('messageId')}/edit-and-regenerate`,
      { content: 'Again' },
    ),
    ask('POST /sessions/{sessionId}/provide-input', `/sessions/${first('session that asks')}/provide-input`, {
      checkpoint_name: 'waiting_for_input_1',
      input: 'This one',
      input_type: 'text',
    }),
    ask(
      'POST /tool-executions/{executionId}/provide-input',
      `/tool-executions/${first('execution that asks')}/provide-input`,
      { input: true, input_type: 'boolean' },
    ),
    ask('POST /tools/{toolId}/execute', '/tools/calculator/execute', {
      inputs: { a: 1, b: 2, operation: 'add' },
    }),
    ask('DELETE /tool-executions/{executionId}', `/tool-executions/${first('executionId')}`),
    ask(
      'POST /sessions/{sessionId}/test-event',
      `/sessions/${first('session of the root')}/test-event`,
      {},
      'super_admin',
    ),
    {
      ...{ route: 'POST /input-files', who: 'user' },
      asked: {
        ...{ method: 'POST', path: '/input-files', body: aFile('a.txt', 'a') },
        headers: { 'content-type': MULTIPART },
      },
    },
    {
      ...{ route: 'POST /documents/upload', who: 'user' },
      asked: {
        ...{ method: 'POST', path: '/documents/upload', body: aFile('a.txt', 'a') },
        headers: { 'content-type': MULTIPART },
      },
    },
    {
      ...{ route: 'POST /documents/{documentId}/versions', who: 'user' },
      asked: {
        ...{ method: 'POST', path: `/documents/${first('documentId')}/versions`, body: aFile('b.txt', 'b') },
        headers: { 'content-type': MULTIPART },
      },
    },
    {
      ...{ route: 'POST /documents/uploads/{uploadId}/parts', who: 'user' },
      asked: {
        ...{ method: 'POST', path: `/documents/uploads/${first('uploadId')}/parts` },
        headers: { 'content-type': MULTIPART },
        body: `--b\r\ncontent-disposition: form-data; name="offset"\r\n\r\n0\r\n${aFile('c.txt', 'cccc')}`,
      },
    },
    ask('GET /documents/{documentId}/files/{name}', `/documents/${first('documentId')}/files/text.md`),
    ask(
      'POST /mcp-servers',
      '/mcp-servers',
      { name: 'Nobody', address: { kind: 'stdio', command: 'no-such-program', args: [], env: {} } },
      'super_admin',
    ),
    ask('GET /documents', '/documents?type=pdf'),
    ask('GET /documents/months', '/documents/months?type=pdf'),
    ask('GET /documents/uploads', '/documents/uploads'),
    ask('POST /documents/{documentId}/playback', `/documents/${first('documentId')}/playback`, {
      version: 1,
    }),
    ask('GET /playback/{ticket}', `/playback/${encodeURIComponent(first('ticket'))}`),
    ask('POST /rag/generate', '/rag/generate', { query: 'rent', model: 'atrium/offline' }),
    ask('POST /search_and_rerank/search_and_rerank', '/search_and_rerank/search_and_rerank', {
      query: 'Question',
      use_bm25: true,
    }),
    ask('POST /search_and_rerank/explain', '/search_and_rerank/explain', {
      query: 'Question',
      // The first document has been reprocessed meanwhile.
      chunk_id: String(known('chunkId')[1]),
    }),
    ask(
      'PATCH /model-connections/{connectionId}',
      `/model-connections/${first('connectionId')}`,
      { name: 'New' },
      'super_admin',
    ),
    ask(
      'PUT /model-connections/{connectionId}',
      `/model-connections/${first('connectionId')}`,
      { name: 'New' },
      'super_admin',
    ),
    ask('POST /sessions/{sessionId}/navigate/{branchId}', `${main}/navigate/${first('messageId')}`),
    ask(
      'DELETE /sessions/{sessionId}/messages/{messageId}/feedback',
      `${main}/messages/${first('messageId')}/feedback`,
    ),
    ask('POST /documents/{documentId}/transcribe', `/documents/${first('recordingId')}/transcribe`, {}),
    ask('PATCH /workspaces/{workspaceId}', `/workspaces/${first('workspaceId')}`, { name: 'New' }),
    ask('GET /documents/workspace/{workspaceId}/documents', `${shelf}/documents`),
    ask('POST /documents/workspace/{workspaceId}/documents', `${shelf}/documents`, {
      document_ids: [first('documentId')],
    }),
    ask(
      'DELETE /sessions/{sessionId}/workspaces/{workspaceId}',
      `${main}/workspaces/${first('workspaceId')}`,
    ),
    ask('DELETE /sessions/{sessionId}/documents/{documentId}', `${main}/documents/${first('documentId')}`),
    ask('GET /users/me/billing', '/users/me/billing?page=1'),
    ask('GET /users/me/billing/export', '/users/me/billing/export'),
    ask('GET /sessions/{sessionId}/tree/search', `${main}/tree/search?q=a`),
    ask(
      'POST /documents/uploads/{uploadId}/complete',
      `/documents/uploads/${first('uploadId')}/complete`,
      {},
    ),
    ...ofVectors(ask),
    {
      ...{ route: 'PUT /users/me/picture', who: 'user' },
      asked: {
        ...{ method: 'PUT', path: '/users/me/picture', body: aFile('a.webp', 'RIFF0000WEBP') },
        headers: { 'content-type': MULTIPART },
      },
    },
  ]
}

type Ask = (route: string, path: string, sent?: object, who?: Who) => CertainRequest

function ofVectors(ask: Ask): CertainRequest[] {
  const [shown = '', chunk_id = '', object_id = ''] = objectIds
  const sent: [string, object][] = [
    ['POST /vector_db/objects', { include_all_vectors: true }],
    ['POST /vector_db/objects/by-id', { object_id: shown }],
    ['DELETE /vector_db/chunks', { chunk_id }],
    ['DELETE /vector_db/documents', { object_id }],
  ]
  const spare = '/vector_db/collections/Spare?confirm=true'
  return [
    ...sent.map(([route, body]) =>
      ask(route, route.split(' ')[1] ?? '', { collection_name: 'Suppliers', ...body }, 'super_admin'),
    ),
    ask('DELETE /vector_db/collections/{collection}', spare, undefined, 'super_admin'),
    ask(
      'POST /vector_db/collections',
      '/vector_db/collections',
      { name: 'Other', configuration: { embedding_model: 'e5-base-v2' } },
      'super_admin',
    ),
    ask('GET /embedding-model/cost', '/embedding-model/cost?model=atrium/lexical', undefined, 'super_admin'),
    ask(
      'POST /embedding-model/change',
      '/embedding-model/change',
      { model: 'atrium/lexical' },
      'super_admin',
    ),
  ]
}

export const MULTIPART = 'multipart/form-data; boundary=b'
export const aFile = (name: string, content: string) =>
  `--b\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n${content}\r\n--b--\r\n`
