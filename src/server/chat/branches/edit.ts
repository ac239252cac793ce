import type { EditMessage } from '#shared/chat/branches/branches.ts'
import { filesOf } from '#shared/chat/messages/message-files.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Deps } from '../../tools/deps.ts'
import { addAndStream, findMessage, type Request, wishOf } from '../messages/messages.ts'

/**
 * Stores an edited question as an alternative and streams the reply.
 * @throws AppError `invalid` for a reply, and the errors of sending a message
 */
export async function editAndRegenerate(
  deps: Deps,
  call: Request,
  messageId: string,
  { content, client_id }: EditMessage,
): Promise<void> {
  const edited = await findMessage(deps.db, call.sessionId, messageId)
  if (edited.role !== 'user') throw new AppError('invalid', 'Only a message of a person can be edited.')
  const { parent_id } = edited
  await addAndStream(deps, call, {
    ...wishOf(edited),
    ...{ content, client_id, parent_id, is_modified: true, files: filesOf(edited.metadata) },
  })
}
