import { create } from 'zustand'

/** Upload state for the rest of the page, before the upload code is loaded. */
type UploadState = {
  /** There are or were uploads, so their list is on screen. */
  isShown: boolean
  /** Chats with files in transit; `failed` if one of them did not arrive. */
  chats: Readonly<Record<string, 'sending' | 'failed'>>
  /** The chat whose message is sent once its files have arrived. */
  waiting: string | null
  /** Number of sent messages. */
  sends: number
}

export const useUploadState = create<UploadState>(() => ({
  ...{ isShown: false, chats: {}, waiting: null, sends: 0 },
}))
