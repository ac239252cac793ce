import { serveThread } from '../../../platform/outbound/foreign/serve-thread.ts'
import { parseDescription } from './description.ts'
import { describeApi } from './list-operations.ts'
import { makeCall } from './make-call.ts'

/** A description to read: everything it offers, or these operations as calls. */
export type Reading = { text: string; base: string | null; pick: { keys: string[]; server: string } | null }

serveThread(({ text, base, pick }: Reading) => {
  const description = parseDescription(text)
  if (!pick) return describeApi(description, base)
  return pick.keys.map((key) => makeCall(description, key, pick.server))
})
