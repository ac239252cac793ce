import type { Entra } from '#shared/models/connections/connections.ts'
import type { ModelCall, ModelPart } from '../port.ts'
import type { Allowance } from './allowance.ts'

/** Address and key of a provider. `base_url` has no slash at its end and may contain a query. */
export type Endpoint = {
  provider: string
  base_url: string
  api_key: string | null
  /** Header of the key, when it is not `authorization`. */
  key_header?: 'api-key' | 'authorization' | undefined
  /** The application whose secret is `api_key`. Requests carry its access token. */
  entra?: Entra | null | undefined
  /** Options of its kind in addition to an address and a key, such as a region. */
  options?: Readonly<Record<string, string>> | undefined
}

export type WireRequest = { url: string; headers: Record<string, string>; body: Record<string, unknown> }

/**
 * How a body ended: with the wire's end mark or as a whole document, closed by the server after a whole event, or otherwise. Without a
 * finish, a marked or closed answer is complete when it has text or calls and nothing in it is open.
 */
export type Ending = 'marked' | 'closed' | 'unknown'

/** Reads one answer, event by event. Every attempt has its own reader. */
export type WireReader = {
  /** Returns the parts that one event (parsed JSON) completes. @throws ModelError when the provider reports a failure */
  read(event: object): ModelPart[]
  /**
   * Returns the last parts after the end of the body: tool calls, usage, finish.
   * @throws ModelError when the answer is cut
   */
  end(ending: Ending): ModelPart[]
  /** Returns whether the last event of an answer came. Absent where `[DONE]` marks it. */
  isOver?(): boolean
}

/** The wire format of a provider: writes a request and creates a reader of the answer. */
export type Dialect = {
  request(call: ModelCall, endpoint: Endpoint): WireRequest
  /** The reader counts what it stores until the end against the allowance. */
  createReader(call: ModelCall, allowance?: Allowance): WireReader
  /** The dialect for a server that does not know this dialect's address. */
  otherwise?: Dialect
  /** Version in the path of base addresses, which users omit or add. Without it, addresses are used as they are. */
  version?: string
}
