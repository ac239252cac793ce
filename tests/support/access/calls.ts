import type { May } from '../../../src/shared/http.ts'
import type { Things } from './things.ts'

/** A valid call of a route, beside what its path names. */
export type Described = {
  /** What the body or the query names: who calls must be allowed to do that with it. */
  names?: May
  /** Or be a super admin, who sees all of it elsewhere too. */
  orSuperAdmin?: boolean
  /** The answer is a list: it is told who finds the owner's thing in it. */
  shows?: { thing: May | 'read company'; id: (things: Things) => string }
  query?: (things: Things) => Record<string, string>
  body?: (things: Things) => unknown
  form?: Record<string, string>
  upload?: boolean
}

const nothing: Described = {}
const body = (value: unknown): Described => ({ body: () => value })
const lists = (
  thing: NonNullable<Described['shows']>['thing'],
  id: (things: Things) => string,
  query: Record<string, string> = {},
): Described => ({ shows: { thing, id }, query: () => query })

const email = { email: 'nobody@example.com' }
const password = 'a longer pass phrase 7'
const aTool = {
  ...{ ui_name: 'A tool', description: 'Calls somebody.' },
  call: { method: 'GET', address: 'http://127.0.0.1:9/', inputs: [] },
}
const assistantFile = {
  ...{ atrium: 'assistant', format: 1, name: 'Ada', description: '', icon: null, agent_type: 'multi_turn' },
  ...{
    model_name: null,
    system_prompt: '',
    example_prompts: [],
    temperature: null,
    documents: [],
    tools: null,
  },
}
const credential = { id: 'x', rawId: 'x', type: 'public-key', clientExtensionResults: {} }
const registration = { ...credential, response: { clientDataJSON: 'x', attestationObject: 'x' } }
const assertion = {
  ...credential,
  response: { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' },
}
const connection = { kind: 'compatible', name: 'Other', base_url: 'http://127.0.0.1:9/v1' }

const anApi = JSON.stringify({
  ...{ openapi: '3.1.0', info: { title: 'An API', version: '1' } },
  paths: { '/': { get: { responses: {} } } },
})
const aToolFile = {
  ...{ format: 'atrium-tools', version: 1 },
  sets: [
    {
      ...{ name: 'A set', auth: { kind: 'none' } },
      tools: [{ ...aTool, key: 'call', icon: null, policy: null }],
    },
  ],
}

/**
 * How each route is called. One that is not here fails the test of the table: whoever adds a route says how it is called
 * and reads in docs/access.md who may.
 */
export const calls: Record<string, Described[]> = {
  'GET /health': [nothing],
  'GET /openapi.json': [nothing],
  'GET /translations/:lng/:ns': [nothing],
  'GET /sign-in-options': [nothing],
  'POST /token': [{ form: { username: 'nobody', password } }],
  'POST /token/exchange': [body({ code: 'x' })],
  'POST /token/second-factor': [body({ ticket: 'x', code: '000000' })],
  'POST /token/second-factor/app': [body({ ticket: 'x' })],
  'POST /token/second-factor/app/confirm': [body({ ticket: 'x', code: '000000' })],
  'GET /users/me/second-factor': [nothing],
  'POST /users/me/second-factor/app': [body({})],
  'POST /users/me/second-factor/app/confirm': [body({ code: '000000' })],
  'POST /users/me/second-factor/app/remove': [body({})],
  'POST /users/me/second-factor/recovery-codes': [body({})],
  'POST /token/passkey/options': [body({})],
  'POST /token/passkey': [body({ challenge: 'x', response: assertion })],
  'GET /users/me/passkeys': [nothing],
  'POST /users/me/passkeys/options': [body({})],
  'POST /users/me/passkeys': [body({ challenge: 'x', name: 'Key', response: registration })],
  'PATCH /users/me/passkeys/:passkeyId': [body({ name: 'Key' })],
  'DELETE /users/me/passkeys/:passkeyId': [nothing],
  'POST /users': [body({ username: 'x y', email: 'x@example.com', password })],
  'POST /users/request-password-reset': [body(email)],
  'POST /users/resend-verification-email': [body(email)],
  'POST /users/reset-password': [body({ token: 'x', new_password: password })],
  'POST /users/verify-email': [{ query: () => ({ token: 'x' }) }],
  'GET /login/:provider': [nothing],
  'GET /login/:provider/callback': [nothing],
  'GET /login/saml/metadata': [nothing],
  'POST /login/:provider/callback': [{ form: { state: 'x' } }],
  'DELETE /token': [nothing],
  'GET /users/me/tokens': [nothing],
  'DELETE /users/me/tokens': [nothing],
  'DELETE /users/me/tokens/:signInId': [nothing],
  'POST /users/me/change-password': [body({ new_password: password })],
  'GET /users/me': [nothing],
  'GET /users/me/events': [nothing],
  'POST /users/me/change-email': [body(email)],
  'GET /users/me/picture': [nothing],
  'PUT /users/me/picture': [{ upload: true }],
  'DELETE /users/me/picture': [nothing],
  'PUT /users/me/preferences': [body({ bio: 'Buyer' })],
  'GET /users/_internal/companies_for_select': [lists('read company', ({ companyId }) => companyId)],
  'GET /users/me/sign-on-connections': [nothing],
  'POST /users/me/sign-on-connections': [
    body({ provider: 'google', redirect_uri: 'http://localhost/user/security' }),
  ],
  'DELETE /users/me/sign-on-connections/:provider': [nothing],
  'GET /users/me/api-keys': [lists('manage key', ({ keyId }) => keyId)],
  'POST /users/me/api-keys': [body({ name: 'ERP', scopes: ['chat'], days: 1 })],
  'DELETE /users/me/api-keys/:keyId': [nothing],
  'GET /available-models': [nothing],
  'GET /model-connections': [nothing],
  'GET /model-connections/local': [nothing],
  'POST /model-connections': [body(connection)],
  'POST /model-connections/test': [body(connection)],
  'PATCH /model-connections/:connectionId': [body({ name: 'Other' })],
  'DELETE /model-connections/:connectionId': [nothing],
  'POST /model-connections/:connectionId/test': [nothing],
  'GET /users/me/billing/usage': [nothing],
  'GET /users/me/billing/export': [nothing],
  'GET /users/me/billing': [nothing],
  'POST /admin/users/:userId/top-up': [body({ amount: 1 })],
  'GET /assistants': [lists('read assistant', ({ assistantId }) => assistantId)],
  'POST /assistants': [body({ name: 'Ada' })],
  'GET /assistants/:assistantId': [nothing],
  'PUT /assistants/:assistantId': [body({ name: 'Bea' })],
  'DELETE /assistants/:assistantId': [nothing],
  'GET /assistants/:assistantId/versions': [nothing],
  'GET /assistants/:assistantId/versions/compare': [{ query: () => ({ a: '1', b: '1' }) }],
  'POST /assistants/:assistantId/versions/:version/return': [nothing],
  'GET /assistants/:assistantId/missing': [nothing],
  'GET /assistants/:assistantId/export': [nothing],
  'POST /assistants/import': [body(assistantFile)],
  'POST /sessions/:sessionId/stop': [nothing],
  'GET /sessions/:sessionId/task-stream': [nothing],
  'GET /sessions/:sessionId/events': [nothing],
  'POST /sessions/:sessionId/test-event': [body({ event_type: 'note', data: {} })],
  'GET /sessions': [
    lists('read session', ({ sessionId }) => sessionId),
    lists('read session', ({ sessionId }) => sessionId, { q: 'Question' }),
  ],
  'POST /sessions': [
    nothing,
    { names: 'read assistant', body: ({ assistantId }) => ({ assistant_id: assistantId }) },
  ],
  'GET /sessions/:sessionId': [nothing],
  'PUT /sessions/:sessionId/rename': [body({ title: 'Other' })],
  'DELETE /sessions/:sessionId': [nothing],
  'GET /sessions/:sessionId/model': [nothing],
  'PUT /sessions/:sessionId/model': [body({ model_name: 'atrium/offline' })],
  'PUT /sessions/:sessionId/agent': [body({ agent_type: 'multi_turn' })],
  'PUT /sessions/:sessionId/assistant': [body({ assistant_id: null })],
  'PUT /sessions/:sessionId/assistants': [body({ assistant_ids: [] })],
  'POST /sessions/:sessionId/messages': [body({ content: 'Hello' })],
  'POST /messages': [
    {
      names: 'write session',
      body: ({ sessionId }) => ({ content: 'Hello', chat_session_id: sessionId }),
    },
  ],
  'GET /sessions/:sessionId/active-branch': [nothing],
  'POST /sessions/:sessionId/messages/:messageId/generate': [nothing],
  'GET /sessions/:sessionId/messages/:messageId/branches': [nothing],
  'POST /sessions/:sessionId/navigate/:branchId': [nothing],
  'POST /sessions/:sessionId/messages/:messageId/regenerate': [nothing],
  'POST /sessions/:sessionId/messages/:messageId/edit-and-regenerate': [body({ content: 'Else' })],
  'GET /sessions/:sessionId/feedback': [nothing],
  'PUT /sessions/:sessionId/messages/:messageId/feedback': [body({ rating: 'up' })],
  'DELETE /sessions/:sessionId/messages/:messageId/feedback': [nothing],
  'GET /sessions/:sessionId/tree': [nothing],
  'GET /sessions/:sessionId/tree/search': [{ query: () => ({ q: 'Question' }) }],
  'POST /sessions/:sessionId/provide-input': [
    body({ checkpoint_name: 'ask', input: 'a', input_type: 'text' }),
  ],
  'POST /tool-executions/:executionId/provide-input': [body({ input: 'a', input_type: 'text' })],
  'GET /input-requests': [lists('read session', ({ sessionId }) => sessionId)],
  'POST /input-files': [{ upload: true }],
  'GET /input-files/:fileId': [nothing],
  'GET /assets/tools/:mediaId/:name': [nothing],
  'POST /input-files/:fileId/transcribe': [nothing],
  'PUT /tools/:toolId/policy': [
    body({ policy: 'ask' }),
    { names: 'write assistant', body: ({ assistantId }) => ({ policy: 'ask', assistant_id: assistantId }) },
  ],
  'GET /tools/:toolId/policy': [
    nothing,
    { names: 'read assistant', query: ({ assistantId }) => ({ assistant_id: assistantId }) },
  ],
  'GET /tools': [lists('read tool', ({ toolId }) => toolId)],
  'POST /tools': [body(aTool)],
  'GET /tools/:toolId': [nothing],
  'PUT /tools/:toolId': [body({ ui_name: 'Other' })],
  'DELETE /tools/:toolId': [nothing],
  'GET /tools/:toolId/definition': [nothing],
  'GET /tools/:toolId/versions': [nothing],
  'POST /tools/:toolId/return': [body({ version: 1 })],
  'POST /tools/try': [
    body({ call: aTool.call, dry_run: true }),
    { names: 'write tool', body: ({ toolId }) => ({ tool_id: toolId, dry_run: true }) },
  ],
  'POST /tools/openapi/read': [body({ text: anApi })],
  'POST /tools/openapi': [
    body({ text: anApi, server: 'https://example.com', operations: [{ key: 'GET /' }] }),
    {
      names: 'write tool-set',
      body: ({ toolSetId }) => ({
        ...{ text: anApi, server: 'https://example.com', operations: [{ key: 'GET /' }], set_id: toolSetId },
      }),
    },
  ],
  'GET /tool-sets/:toolSetId': [nothing],
  'POST /tools/export': [{ names: 'write tool', body: ({ toolId }) => ({ tool_ids: [toolId] }) }],
  'POST /tools/import': [body(aToolFile)],
  'POST /tools/:toolId/interface': [nothing],
  'PUT /tools/:toolId/interface': [body({ ui: null })],
  'GET /tool-interfaces/:ticket': [nothing],
  'GET /tool-interfaces/:ticket/module': [nothing],
  'GET /mcp-servers': [nothing],
  'POST /mcp-servers': [body({ name: 'Other', address: { kind: 'http', url: 'http://127.0.0.1:9/' } })],
  'GET /mcp-servers/:toolSetId': [nothing],
  'PATCH /mcp-servers/:toolSetId': [body({ name: 'Other' })],
  'DELETE /mcp-servers/:toolSetId': [nothing],
  'POST /mcp-servers/:toolSetId/refresh': [nothing],
  'PUT /mcp-servers/:toolSetId/tools': [body({ tool_id: 'x', policy: 'ask' })],
  'POST /mcp-servers/:toolSetId/resources': [body({ uri: 'demo://x' })],
  'POST /mcp-servers/:toolSetId/prompts': [body({ name: 'x' })],
  'POST /tools/:toolId/execute': [
    body({ inputs: { a: 1, b: 2, operation: 'add' } }),
    {
      names: 'write session',
      body: ({ sessionId }) => ({ inputs: { a: 1, b: 2, operation: 'add' }, session_id: sessionId }),
    },
  ],
  'GET /tool-executions': [
    lists('read execution', ({ executionId }) => executionId, { tool_id: 'calculator' }),
  ],
  'GET /tool-executions/:executionId': [nothing],
  'DELETE /tool-executions/:executionId': [nothing],
  'GET /sessions/:sessionId/checkpoints': [nothing],
  'POST /sessions/:sessionId/navigate-to-checkpoint': [body({})],
  'POST /sessions/:sessionId/pause': [nothing],
  'POST /sessions/:sessionId/resume': [body({})],
  'PATCH /checkpoints/:checkpointId': [body({ label: 'Here' })],
  'GET /checkpoints/compare': [
    { names: 'read checkpoint', query: ({ checkpointId }) => ({ a: checkpointId, b: checkpointId }) },
  ],
  'GET /sessions/:sessionId/belief': [nothing],
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
  'POST /sessions/:sessionId/workspaces/:workspaceId': [{ names: 'read workspace' }],
  'DELETE /sessions/:sessionId/workspaces/:workspaceId': [nothing],
  'POST /sessions/:sessionId/documents/:documentId': [{ names: 'read document' }],
  'DELETE /sessions/:sessionId/documents/:documentId': [nothing],
  'POST /search_and_rerank/search_and_rerank': [
    body({ query: 'rent' }),
    { names: 'read session', body: ({ sessionId }) => ({ query: 'rent', chat_session_id: sessionId }) },
    { names: 'read workspace', body: ({ workspaceId }) => ({ query: 'rent', workspace_ids: [workspaceId] }) },
  ],
  'POST /search_and_rerank/explain': [
    { names: 'read document', body: ({ chunkId }) => ({ query: 'rent', chunk_id: chunkId }) },
  ],
  'GET /sessions/:sessionId/library': [nothing],
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
  'GET /embedding-model': [nothing],
  'GET /embedding-model/cost': [{ query: () => ({ model: 'atrium/lexical' }) }],
  'POST /embedding-model/change': [body({ model: 'atrium/lexical' })],
  'DELETE /embedding-model/change': [nothing],
  'GET /search/vector-info/:collection': [nothing],
  'GET /reranking/rerankers': [nothing],
  'GET /reranking/available': [nothing],
  'POST /tool-executions/:executionId/import': [body({ target: 'crm' })],
  'GET /admin/audit': [nothing],
  'GET /admin/audit/export': [{ query: () => ({ time_zone: 'UTC', language: 'en' }) }],
  'GET /admin/audit/check': [nothing],
  'GET /admin/users': [
    { shows: { thing: 'manage user', id: ({ userId }) => userId }, query: () => ({ limit: '100' }) },
  ],
  'PATCH /admin/users/:userId': [body({ beta_access: true })],
  'GET /admin/companies': [lists('manage company', ({ companyId }) => companyId)],
  'POST /admin/companies': [body({ name: 'Orsane' })],
  'PATCH /admin/companies/:companyId': [body({ name: 'Orsane UK' })],
  'GET /admin/sign-on': [nothing],
  'GET /admin/sign-up': [nothing],
  'PUT /admin/sign-up': [body({ policy: 'open', domains: [] })],
  'GET /admin/invitations': [
    {
      shows: { thing: 'manage invitation', id: ({ invitationId }) => invitationId },
      query: () => ({ limit: '100' }),
    },
  ],
  'POST /admin/invitations': [
    {
      names: 'manage company',
      body: ({ companyId: company_id }) => ({ company_id, role: 'member', emails: [] }),
    },
  ],
  'POST /admin/invitations/:invitationId/send': [nothing],
  'DELETE /admin/invitations/:invitationId': [nothing],
  'POST /invitations/read': [body({ token: 'x' })],
  'POST /invitations/accept': [body({ token: 'x' })],
  'GET /service-connections/status/google': [nothing],
  'GET /service-connections/connect/google': [nothing],
  'GET /service-connections/connect/google/callback': [nothing],
  'POST /service-connections/export/google-sheet': [
    body({ table_headers: ['A'], prospects: [['1']], sheet_title: 'Table' }),
  ],
  'POST /sessions/:sessionId/links': [body({})],
  'GET /links': [lists('read link', ({ linkId }) => linkId)],
  'DELETE /links/:linkId': [nothing],
  'GET /shared/:token': [nothing],
  'GET /shared/:token/messages': [nothing],
  'GET /shared/:token/files/:place': [nothing],
  'GET /shared/:token/pictures/:pictureId': [nothing],
  'POST /shared/:token/copy': [nothing],
  'POST /sessions/:sessionId/exports': [body({ format: 'md' })],
  'POST /exports': [body({ documents: false })],
  'GET /exports': [lists('read export', ({ exportId }) => exportId)],
  'GET /exports/:exportId': [nothing],
  'GET /exports/:exportId/file': [nothing],
  'DELETE /exports/:exportId': [nothing],
  'GET /link-previews': [{ query: () => ({ url: 'https://127.0.0.1/' }) }],
  'GET /link-previews/image': [{ query: () => ({ url: 'https://127.0.0.1/' }) }],
  'GET /link-previews/favicon': [{ query: () => ({ domain: '127.0.0.1', sz: '64' }) }],
}
