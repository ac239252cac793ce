import * as z from 'zod/mini'
import { Id } from '../../platform/primitives.ts'

/** Maximum number of files of a message. */
export const MAX_MESSAGE_FILES = 50

/** A document that was added to the chat with a message, under its name at that time. */
export const MessageFile = z.object({ document_id: Id, name: z.string() })
export type MessageFile = z.infer<typeof MessageFile>

/** Returns the files sent with a message, as the server stored them. */
export function filesOf(metadata: Record<string, unknown>): MessageFile[] {
  return Array.isArray(metadata.files) ? metadata.files : []
}
