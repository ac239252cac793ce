import { type GivePart, ModelError } from '../port.ts'
import type { Endpoint } from './dialect.ts'

/** Controls the requests that one call makes to a provider. */
export type Gate = {
  /** Waits for room for one more request and returns the endpoint with its key. @throws ModelError `no_room`; the reason of `signal` */
  enter: (signal: AbortSignal, give?: GivePart) => Promise<Endpoint>
  /** Receives the failure of a request. Returns true when another key may be tried immediately. */
  failed: (error: ModelError) => Promise<boolean>
}

/** A gate for a provider with at most one key and without limits. */
export const openGate = (endpoint: Endpoint): Gate => ({
  enter: async () => endpoint,
  failed: async () => false,
})

/** Makes one request through the gate. Retries with another key while keys are refused. */
export async function passGate<T>(
  gate: Gate,
  signal: AbortSignal,
  ask: (endpoint: Endpoint) => Promise<T>,
): Promise<T> {
  for (;;) {
    const endpoint = await gate.enter(signal)
    try {
      return await ask(endpoint)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ModelError) || !(await gate.failed(error))) throw error
    }
  }
}
