import { type GivePart, ModelError } from '../port.ts'
import type { Endpoint } from './dialect.ts'

/** What stands between one call and the requests it makes of a provider. */
export type Gate = {
  /** Waits until there is room for one more request, and says with which key it goes out. @throws ModelError `no_room`; the reason of `signal` */
  enter: (signal: AbortSignal, give?: GivePart) => Promise<Endpoint>
  /** Hears why a request failed; true when it may be made at once with another key. */
  failed: (error: ModelError) => Promise<boolean>
}

/** A provider with one key, or none, that may be asked at any time. */
export const openGate = (endpoint: Endpoint): Gate => ({
  enter: async () => endpoint,
  failed: async () => false,
})

/** Makes one request through the gate, with another key while one is refused. */
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
