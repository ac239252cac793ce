import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, Notice } from '../../platform/primitives.ts'
import { AssistantContent } from '../assistants/versions.ts'

/** Days after the last use until a try is deleted. */
export const TRY_DAYS = 7

export const tryAssistant = route({
  method: 'PUT',
  path: '/assistant-tries',
  access: 'user',
  fails: ['not_found'],
  summary:
    'Try a draft of an assistant: the next replies of the chat that is answered come from these values, and nothing of the assistant changes. One chat for each assistant, and one for what was never saved',
  body: z.object({ assistant_id: z.nullable(Id), content: AssistantContent }),
  answer: z.object({ session_id: Id }),
})

export const endTry = route({
  method: 'DELETE',
  path: '/assistant-tries',
  access: 'user',
  summary: 'Delete the chat in which the caller tries an assistant, or one that was never saved',
  query: z.object({ assistant_id: z.optional(Id) }),
  answer: Notice,
})
