import type { Bus } from './bus-port.ts'

type Listener = (message: string) => void

/** The listeners of one process, by topic. */
export type Listeners = {
  add: (topic: string, listener: Listener) => () => void
  tell: (topic: string, message: string) => void
  has: (topic: string) => boolean
  topics: () => string[]
}

/** Creates the bus of a single process. It calls listeners synchronously and in order. */
export function createLocalBus(): Bus {
  const listeners = createListeners()
  return {
    publish: listeners.tell,
    subscribe: listeners.add,
    isShared: false,
    close: async () => undefined,
  }
}

export function createListeners(): Listeners {
  const byTopic = new Map<string, Set<Listener>>()
  return {
    has: (topic) => byTopic.has(topic),
    topics: () => [...byTopic.keys()],
    tell: (topic, message) => {
      for (const listener of byTopic.get(topic) ?? []) listener(message)
    },
    add: (topic, listener) => {
      const known = byTopic.get(topic) ?? new Set()
      byTopic.set(topic, known.add(listener))
      return () => {
        known.delete(listener)
        if (known.size === 0 && byTopic.get(topic) === known) byTopic.delete(topic)
      }
    },
  }
}
