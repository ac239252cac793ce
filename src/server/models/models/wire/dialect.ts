import type { Entra } from '#shared/models/connections/connections.ts'
import type { ModelCall, ModelPart } from '../port.ts'
import type { Allowance } from './allowance.ts'

/** Where a provider is reached and with which key. `base_url` has no slash at the end, and may carry a query. */
export type Endpoint = {
  provider: string
  base_url: string
  api_key: string | null
  /** Header of the key, when it is not `authorization`. */
  key_header?: 'api-key' | 'authorization' | undefined
  /** The application whose secret is `api_key`. Requests carry its access token. */
  entra?: Entra | null | undefined
  /** What its kind needs beside an address and a key, such as a region. */
  options?: Readonly<Record<string, string>> | undefined
}

export type WireRequest = { url: string; headers: Record<string, string>; body: Record<string, unknown> }

/** Reads one answer, event by event. Made anew for every attempt. */
export type WireReader = {
  /** The parts that one event (parsed JSON) completes. @throws ModelError when the provider reports a failure. */
  read(event: object): ModelPart[]
  /**
   * What is known once the body ended: tool calls, usage, finish. `isMarked` says that the wire's own mark of
   * the end came. @throws ModelError without a proper finish.
   */
  end(isMarked: boolean): ModelPart[]
  /** Whether the last event of an answer came. Absent where `[DONE]` says so. */
  isOver?(): boolean
}

/** How a provider's wire is spoken: a request out, a reader for what comes in. */
export type Dialect = {
  request(call: ModelCall, endpoint: Endpoint): WireRequest
  /** What the reader keeps until the end it counts against the allowance. */
  createReader(call: ModelCall, allowance?: Allowance): WireReader
  /** Spoken instead to a server that does not know this dialect's address. */
  otherwise?: Dialect
  /** Version in the path of base addresses, which people leave out or add; without it addresses are taken as they are. */
  version?: string
}
