import type { Things } from '../things.ts'
import { body, type Described, lists, nothing } from './described.ts'

const programRequest = ({ clientId }: Things) => ({
  ...{ response_type: 'code', client_id: clientId, redirect_uri: 'https://desk.example/back' },
  ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
})
const toOffline = { model: 'atrium/offline' }

/** Calls of other programs. */
export const programs: Record<string, Described[]> = {
  'GET /users/me/api-keys': [lists('manage key', ({ keyId }) => keyId)],
  'POST /users/me/api-keys': [body({ name: 'ERP', scopes: ['chat'], days: 1 })],
  'PATCH /users/me/api-keys/:keyId': [body({ monthly_budget: 5 })],
  'DELETE /users/me/api-keys/:keyId': [nothing],
  'GET /users/me/programs': [nothing],
  'POST /users/me/programs/requests': [{ body: programRequest }],
  'POST /users/me/programs': [{ body: programRequest }],
  'DELETE /users/me/programs/:keyId': [nothing],
  'GET /webhooks': [lists('manage webhook', ({ webhookId }) => webhookId)],
  'POST /webhooks': [body({ name: 'ERP', url: 'https://erp.example/', events: ['run.finished'] })],
  'PATCH /webhooks/:webhookId': [body({ name: 'CRM' })],
  'DELETE /webhooks/:webhookId': [nothing],
  'POST /webhooks/:webhookId/secret': [nothing],
  'POST /webhooks/:webhookId/try': [nothing],
  'GET /webhooks/:webhookId/deliveries': [nothing],
  'POST /webhooks/:webhookId/deliveries/:deliveryId/send': [nothing],
  'POST /embed/visits': [{ body: ({ embedToken }) => ({ token: embedToken }) }],
  'GET /embed/visit': [nothing],
  'POST /embed/chats': [nothing],
  'GET /embedding-model': [nothing],
  'GET /embedding-model/cost': [{ query: () => ({ model: 'atrium/lexical' }) }],
  'POST /embedding-model/change': [body({ model: 'atrium/lexical' })],
  'DELETE /embedding-model/change': [nothing],
  'GET /v1/models': [nothing],
  'GET /v1/models/:id': [nothing],
  'POST /v1/chat/completions': [body({ ...toOffline, messages: [{ role: 'user', content: 'Hi' }] })],
  'GET /v1/chat/completions/:completionId': [{ names: 'read session' }],
  'POST /v1/responses': [body({ ...toOffline, input: 'Hi' })],
  'GET /v1/responses/:responseId': [{ names: 'read session' }],
  'POST /v1/responses/:responseId/cancel': [{ names: 'write session' }],
  'POST /v1/messages': [body({ ...toOffline, messages: [{ role: 'user', content: 'Hi' }] })],
  'POST /v1/messages/count_tokens': [body({ ...toOffline, messages: [{ role: 'user', content: 'Hi' }] })],
  'POST /v1/embeddings': [body({ model: 'atrium/lexical', input: 'Hi' })],
  'POST /v1/audio/transcriptions': [{ upload: true }],
  'POST /v1/files': [{ upload: true }],
  'GET /v1/files': [lists('manage document', ({ documentId }) => `file-${documentId}`)],
  'GET /v1/files/:wireFileId': [{ names: 'read document' }],
  'GET /v1/files/:wireFileId/content': [{ names: 'read document' }],
  'DELETE /v1/files/:wireFileId': [{ names: 'manage document' }],
}
