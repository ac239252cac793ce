import { create } from 'zustand'

/** The tool chosen by a person per session, sent with its next messages. */
export const STORAGE_KEY = 'selectedToolsBySession'
/** Maximum sessions whose choice is stored; the oldest are dropped. */
const MAX_SESSIONS = 200

type SelectedTools = Record<string, string>

const useSelected = create<{ bySession: SelectedTools }>(() => ({ bySession: read() }))

/** Returns the tool chosen for a session, or null. */
export function useSelectedTool(sessionId: string | null): string | null {
  return useSelected(({ bySession }) => (sessionId ? (bySession[sessionId] ?? null) : null))
}

export function selectedTool(sessionId: string): string | null {
  return useSelected.getState().bySession[sessionId] ?? null
}

/** Chooses a tool for a session; null chooses none. */
export function selectTool(sessionId: string, toolId: string | null): void {
  const { [sessionId]: _, ...others } = useSelected.getState().bySession
  const entries = [...Object.entries(others), ...(toolId ? [[sessionId, toolId] as const] : [])]
  const bySession = Object.fromEntries(entries.slice(-MAX_SESSIONS))
  useSelected.setState({ bySession })
  localStorage.setItem(STORAGE_KEY, JSON.stringify(bySession))
}

function read(): SelectedTools {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    const entries = Object.entries(typeof stored === 'object' && stored !== null ? stored : {})
    return Object.fromEntries(entries.filter(([, tool]) => typeof tool === 'string'))
  } catch {
    return {}
  }
}
