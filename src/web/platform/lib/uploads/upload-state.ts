import { create } from 'zustand'
import type { MessageFile } from '#shared/chat/messages/message-files.ts'

/** Upload state for the rest of the page, before the upload code is loaded. */
type UploadState = {
  /** There are or were uploads, so their list is on screen. */
  isShown: boolean
  /** Chats with files in transit or being read; `failed` if one of them did not arrive or could not be read. */
  chats: Readonly<Record<string, 'sending' | 'reading' | 'failed'>>
  /** Files that go with the next message of each chat. */
  files: Readonly<Record<string, MessageFile[]>>
  /** The chat whose message is sent once its files have been read. */
  waiting: string | null
  /** The chat whose message is sent now, without the files that are not read yet. */
  leaving: string | null
  /** Number of sent messages. */
  sends: number
}

export const useUploadState = create<UploadState>(() => ({
  ...{ isShown: false, chats: {}, files: {}, waiting: null, leaving: null, sends: 0 },
}))
