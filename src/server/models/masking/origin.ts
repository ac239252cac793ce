import { AsyncLocalStorage } from 'node:async_hooks'

/** The chat, the reply and the person for whom models are called. */
export type Origin = { user_id: string | null; session_id: string | null; message_id: string | null }

const current = new AsyncLocalStorage<Origin>()
const unknown: Origin = { user_id: null, session_id: null, message_id: null }

/** Runs `work`, whose model calls belong to `origin`, however deep they are. */
export const withOrigin = <T>(origin: Origin, work: () => T): T => current.run(origin, work)

export const currentOrigin = (): Origin => current.getStore() ?? unknown
