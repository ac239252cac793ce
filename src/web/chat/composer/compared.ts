import { create } from 'zustand'

const none: readonly string[] = []

/** The models that answer the next messages of a chat together. */
const useComparedStore = create<Record<string, readonly string[]>>(() => ({}))

/** Returns the models that are compared in a chat; fewer than two are no comparison. */
export function comparedIn(sessionId: string): readonly string[] {
  const models = useComparedStore.getState()[sessionId] ?? none
  return models.length > 1 ? models : none
}

export function useCompared(sessionId: string | null): readonly string[] {
  return useComparedStore((state) => state[sessionId ?? ''] ?? none)
}

export function setCompared(sessionId: string, models: readonly string[]): void {
  useComparedStore.setState({ [sessionId]: models })
}
