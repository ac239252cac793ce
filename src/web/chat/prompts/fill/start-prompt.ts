import { applyPrompt, type LeftOut, type Prompt } from '#shared/chat/prompts/prompts.ts'
import { linkDocument } from '#shared/knowledge/workspaces/workspaces.ts'
import { addFiles } from '../../../knowledge/uploads/uploads.ts'
import { translate } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { refreshSession } from '../../../runs/sessions/sessions.ts'

type Wish = {
  prompt: Prompt
  sessionId: string
  /** The chat has no messages, so that the prompt sets it up. */
  isNew: boolean
  documents: readonly string[]
  files: readonly File[]
}

/** Returns whether a prompt sets anything in the chat it starts. */
export function hasSettings({ assistant_id, model_name, tools, documents }: Prompt): boolean {
  return assistant_id !== null || model_name !== null || tools !== null || documents.length > 0
}

/** Sets up a chat for a prompt: its settings in a new chat, and the chosen documents and files. @throws what the calls throw */
export async function preparePrompt({ prompt, sessionId, isNew, documents, files }: Wish): Promise<void> {
  if (isNew && hasSettings(prompt)) {
    const { left_out } = await call(applyPrompt, { params: { sessionId }, body: { prompt_id: prompt.id } })
    tellLeftOut(left_out)
  }
  for (const documentId of documents) await call(linkDocument, { params: { sessionId, documentId } })
  addFiles(
    files.map((file) => ({ file, path: '' })),
    { sessionId },
  )
  if (!isNew && documents.length === 0) return
  refreshSession(sessionId)
  await queryClient.invalidateQueries({ queryKey: ['documents', 'chat-library', sessionId] })
  await queryClient.invalidateQueries({ queryKey: ['session-tools', sessionId] })
}

function tellLeftOut({ assistant, model, tools, documents }: LeftOut): void {
  const parts = [
    ...(assistant ? [translate('prompts:left_out.assistant')] : []),
    ...(model === null ? [] : [translate('prompts:left_out.model', { model })]),
    ...(tools === 0 ? [] : [translate('prompts:left_out.tools', { count: tools })]),
    ...(documents === 0 ? [] : [translate('prompts:left_out.documents', { count: documents })]),
  ]
  if (parts.length > 0) void toast.info(translate('prompts:left_out.all', { parts: parts.join(', ') }))
}
