import { create } from 'zustand'
import { keepOwn, readKept, readOwn } from '../../platform/lib/kept/kept.ts'

const none: readonly string[] = []
const nameOf = (sessionId: string) => `compared:${sessionId}`

/** The models that answer the next messages of a chat together. */
const useComparedStore = create<Record<string, readonly string[]>>(() => ({}))

/** Returns the models that are compared in a chat; fewer than two are no comparison. */
export function comparedIn(sessionId: string): readonly string[] {
  const models = chosenIn(useComparedStore.getState(), sessionId)
  return models.length > 1 ? models : none
}

export function useCompared(sessionId: string | null): readonly string[] {
  return useComparedStore((state) => (sessionId === null ? none : chosenIn(state, sessionId)))
}

/** Chooses the models of a chat. They survive a reload. */
export function setCompared(sessionId: string, models: readonly string[]): void {
  keepOwn(nameOf(sessionId), models.join('\n'))
  useComparedStore.setState({ [sessionId]: models })
}

/** Models stored before the page was opened, by session. */
const stored = new Map<string, readonly string[]>()

function chosenIn(state: Record<string, readonly string[]>, sessionId: string): readonly string[] {
  const chosen = state[sessionId] ?? stored.get(sessionId)
  if (chosen) return chosen
  const text = readOwn(nameOf(sessionId)) ?? readKept(nameOf(sessionId)) ?? ''
  const models = text ? text.split('\n') : none
  stored.set(sessionId, models)
  return models
}
