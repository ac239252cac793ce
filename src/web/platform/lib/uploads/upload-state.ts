import { create } from 'zustand'

/** What the rest of the page knows of uploads before their code is there. */
type UploadState = {
  /** Something is or was uploaded: the list of it is on screen. */
  isShown: boolean
  /** The chats files are on their way to; `failed` when one of them did not arrive. */
  chats: Readonly<Record<string, 'sending' | 'failed'>>
  /** The chat whose message goes out once its files have arrived. */
  waiting: string | null
  /** Messages that have been sent. */
  sends: number
}

export const useUploadState = create<UploadState>(() => ({
  ...{ isShown: false, chats: {}, waiting: null, sends: 0 },
}))
