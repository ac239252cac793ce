import type { May } from '../../../src/shared/http.ts'
import type { Things } from './things.ts'

/** A valid call of a route, beside what its path names. */
export type Described = {
  /** What the body or the query names: who calls must be allowed to do that with it. */
  names?: May
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
const connection = { kind: 'compatible', name: 'Other', base_url: 'http://127.0.0.1:9/v1' }

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
  'POST /users': [body({ username: 'x y', email: 'x@example.com', password })],
  'POST /users/request-password-reset': [body(email)],
  'POST /users/resend-verification-email': [body(email)],
  'POST /users/reset-password': [body({ token: 'x', new_password: password })],
  'POST /users/verify-email': [{ query: () => ({ token: 'x' }) }],
  'GET /login/:provider': [nothing],
  'GET /login/:provider/callback': [nothing],
  'DELETE /token': [nothing],
  'DELETE /users/me/tokens': [nothing],
  'POST /users/me/change-password': [body({ new_password: password })],
  'GET /users/me': [nothing],
  'PUT /users/me/preferences': [body({ bio: 'Buyer' })],
  'GET /users/_internal/companies_for_select': [lists('read company', ({ companyId }) => companyId)],
  'GET /users/me/sign-on-connections': [nothing],
  'DELETE /users/me/sign-on-connections/:provider': [nothing],
  'GET /available-models': [nothing],
  'GET /model-connections': [nothing],
  'POST /model-connections': [body(connection)],
  'POST /model-connections/test': [body(connection)],
  'PATCH /model-connections/:connectionId': [body({ name: 'Other' })],
  'DELETE /model-connections/:connectionId': [nothing],
  'POST /model-connections/:connectionId/test': [nothing],
  'GET /users/me/billing': [nothing],
  'POST /admin/users/:userId/top-up': [body({ amount: 1 })],
  'GET /assistants': [lists('read assistant', ({ assistantId }) => assistantId)],
  'POST /assistants': [body({ name: 'Ada' })],
  'GET /assistants/:assistantId': [nothing],
  'PUT /assistants/:assistantId': [body({ name: 'Bea' })],
  'DELETE /assistants/:assistantId': [nothing],
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
  'GET /sessions/:sessionId/tree': [nothing],
  'GET /sessions/:sessionId/tree/search': [{ query: () => ({ q: 'Question' }) }],
  'POST /sessions/:sessionId/provide-input': [
    body({ checkpoint_name: 'ask', input: 'a', input_type: 'text' }),
  ],
  'POST /tool-executions/:executionId/provide-input': [body({ input: 'a', input_type: 'text' })],
  'GET /input-requests': [lists('read session', ({ sessionId }) => sessionId)],
  'POST /input-files': [{ upload: true }],
  'GET /input-files/:fileId': [nothing],
  'POST /input-files/:fileId/transcribe': [nothing],
  'PUT /tools/:toolId/policy': [
    body({ policy: 'ask' }),
    { names: 'write assistant', body: ({ assistantId }) => ({ policy: 'ask', assistant_id: assistantId }) },
  ],
  'GET /tools/:toolId/policy': [
    nothing,
    { names: 'read assistant', query: ({ assistantId }) => ({ assistant_id: assistantId }) },
  ],
  'GET /tools': [nothing],
  'GET /tools/:toolId': [nothing],
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
  'GET /sessions/:sessionId/checkpoints': [nothing],
  'POST /sessions/:sessionId/navigate-to-checkpoint': [body({})],
  'POST /sessions/:sessionId/pause': [nothing],
  'POST /sessions/:sessionId/resume': [body({})],
  'PATCH /checkpoints/:checkpointId': [body({ label: 'Here' })],
  'GET /checkpoints/compare': [
    { names: 'read checkpoint', query: ({ checkpointId }) => ({ a: checkpointId, b: checkpointId }) },
  ],
  'GET /sessions/:sessionId/belief': [nothing],
}
