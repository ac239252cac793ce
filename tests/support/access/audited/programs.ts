import { type Audited, inChats, inLibrary, looks } from './reasons.ts'

export const programs: Record<string, Audited> = {
  'POST /channels/:slackChannelId/slack/events': { nothing: 'the reply stands in the chat of its thread' },
  'POST /channels/:slackChannelId/slack/actions': { nothing: 'the answer stands in the chat' },
  'POST /channels/:teamsChannelId/teams/messages': { nothing: 'the reply stands in the chat of its thread' },
  'POST /triggers/:triggerId/deliveries': { nothing: 'it stands in the deliveries of the schedule' },
  'POST /embed/visits': { nothing: 'a visitor has no account; the token they come with was written down' },
  'POST /embed/chats': { nothing: inChats },
  'POST /v1/chat/completions': { nothing: inChats },
  'POST /v1/responses': { nothing: inChats },
  'POST /v1/responses/:responseId/cancel': { nothing: inChats },
  'POST /v1/messages': { nothing: inChats },
  'POST /v1/messages/count_tokens': { nothing: looks },
  'POST /v1/embeddings': { nothing: looks },
  'POST /v1/audio/transcriptions': { nothing: looks },
  'POST /v1/files': { nothing: inLibrary },
  'DELETE /v1/files/:wireFileId': { did: ['document.removed'] },
}
