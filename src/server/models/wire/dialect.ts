import type { ModelCall, ModelPart } from '../port.ts'

/** Where a provider is reached and with which key. `base_url` has no slash at the end. */
export type Endpoint = { provider: string; base_url: string; api_key: string | null }

export type WireRequest = { url: string; headers: Record<string, string>; body: Record<string, unknown> }

/** Reads one answer, event by event. Made anew for every attempt. */
export type WireReader = {
  /** The parts that one event completes. @throws ModelError when the provider reports a failure. */
  read(data: string, event: string | undefined): ModelPart[]
  /** What is known once the body ended: tool calls, usage, finish. @throws ModelError without a proper finish. */
  end(): ModelPart[]
}

/** How a provider's wire is spoken: a request out, a reader for what comes in. */
export type Dialect = {
  request(call: ModelCall, endpoint: Endpoint): WireRequest
  createReader(): WireReader
}
