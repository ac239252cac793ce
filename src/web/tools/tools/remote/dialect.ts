import { InterfaceMessage, type PageMessage } from '#shared/tools/tool-interfaces/messages.ts'

/** How an interface and the page speak: what is read of what it sends, and how what it is told is written. */
export type Dialect = {
  /** What it says, in our protocol; `reply` is answered at once. Null and no reply for what is no message. */
  read: (data: unknown) => { message: InterfaceMessage | null; reply?: unknown }
  write: (message: PageMessage) => unknown[]
}

/** Our own protocol (`shared/tools/tool-interfaces/messages.ts`), as it is. */
export const plainDialect: Dialect = {
  read: (data) => ({ message: InterfaceMessage.safeParse(data).data ?? null }),
  write: (message) => [message],
}
