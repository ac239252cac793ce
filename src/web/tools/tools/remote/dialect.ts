import { InterfaceMessage, type PageMessage } from '#shared/tools/tool-interfaces/messages.ts'

/** Protocol between an interface and the page: parses incoming messages and formats outgoing ones. */
export type Dialect = {
  /** Converts a message to Atrium's protocol. `reply` is sent back immediately. For anything invalid, returns null without a reply. */
  read: (data: unknown) => { message: InterfaceMessage | null; reply?: unknown }
  write: (message: PageMessage) => unknown[]
}

/** Atrium's own protocol (`shared/tools/tool-interfaces/messages.ts`), passed through unchanged. */
export const plainDialect: Dialect = {
  read: (data) => ({ message: InterfaceMessage.safeParse(data).data ?? null }),
  write: (message) => [message],
}
