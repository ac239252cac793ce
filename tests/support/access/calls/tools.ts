import { body, type Described, lists, nothing } from './described.ts'

const aTool = {
  ...{ ui_name: 'A tool', description: 'Calls somebody.' },
  call: { method: 'GET', address: 'https://api.invalid/', inputs: [] },
}
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

const aMailbox = {
  ...{ address: 'ada@example.com', username: 'ada', password: 'sesame' },
  ...{ imap_host: '127.0.0.1', imap_port: 9, imap_security: 'tls' },
  ...{ smtp_host: '127.0.0.1', smtp_port: 9, smtp_security: 'tls' },
}
const aCalendar = {
  address: 'ada@example.com',
  url: 'http://127.0.0.1:9/',
  username: 'ada',
  password: 'sesame',
}

/** Calls of tools. */
export const tools: Record<string, Described[]> = {
  'POST /tool-executions/:executionId/provide-input': [body({ input: 'a', input_type: 'text' })],
  'POST /tool-executions/:approvalId/decide': [body({ input: { approved: true } })],
  'GET /assets/tools/:mediaId/:name': [nothing],
  'PUT /tools/:toolId/policy': [
    body({ policy: 'ask' }),
    { names: 'manage assistant', body: ({ assistantId }) => ({ policy: 'ask', assistant_id: assistantId }) },
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
  'GET /tool-sets/:toolSetId/shares': [nothing],
  'POST /tool-sets/:toolSetId/shares': [
    { body: ({ companyId }) => ({ recipient: { who: 'company', id: companyId } }) },
  ],
  'DELETE /tool-sets/:toolSetId/shares/:toolShareId': [nothing],
  'GET /share-recipients': [nothing],
  'POST /tools/export': [{ names: 'write tool', body: ({ toolId }) => ({ tool_ids: [toolId] }) }],
  'POST /tools/import': [body(aToolFile)],
  'POST /tools/:toolId/interface': [nothing],
  'PUT /tools/:toolId/interface': [body({ ui: null })],
  'GET /tool-interfaces/:ticket': [nothing],
  'GET /tool-interfaces/:ticket/module': [nothing],
  'GET /tool-sets/:toolSetId/account': [nothing],
  'POST /tool-sets/:toolSetId/account': [body({})],
  'DELETE /tool-sets/:toolSetId/account': [nothing],
  'GET /personal-accounts': [nothing],
  'PUT /personal-accounts/imap': [body(aMailbox)],
  'PUT /personal-accounts/caldav': [body(aCalendar)],
  'POST /personal-accounts/:accountKind/sign-in': [nothing],
  'DELETE /personal-accounts/:accountKind': [nothing],
  'GET /personal-accounts/return': [nothing],
  'GET /tool-accounts/client.json': [nothing],
  'GET /tool-accounts/return': [nothing],
  'GET /mcp-connecting': [nothing],
  'GET /mcp-servers': [nothing],
  'POST /mcp-servers': [body({ name: 'Other', address: { kind: 'http', url: 'http://127.0.0.1:9/' } })],
  'GET /mcp-servers/:toolSetId': [nothing],
  'GET /mcp-servers/:toolSetId/health': [nothing],
  'PATCH /mcp-servers/:toolSetId': [body({ name: 'Other' })],
  'DELETE /mcp-servers/:toolSetId': [nothing],
  'POST /mcp-servers/:toolSetId/refresh': [nothing],
  'PUT /mcp-servers/:toolSetId/tools': [body({ tool_id: 'x', policy: 'ask' })],
  'PUT /mcp-servers/:toolSetId/reading-tools': [body({ policy: 'ask', tools: [] })],
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
  'POST /tool-executions/:executionId/import': [body({ target: 'crm' })],
}
