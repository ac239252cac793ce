import { create } from 'zustand'

/** The tool a person chose per session; sent with the next messages of that session. */
export const STORAGE_KEY = 'selectedToolsBySession'
/** Sessions whose choice is remembered; the oldest are forgotten. */
const KEPT = 200

type SelectedTools = Record<string, string>

const useSelected = create<{ bySession: SelectedTools }>(() => ({ bySession: read() }))

/** The tool chosen for a session, or null. */
export function useSelectedTool(sessionId: string | null): string | null {
  return useSelected(({ bySession }) => (sessionId ? (bySession[sessionId] ?? null) : null))
}

export function selectedTool(sessionId: string): string | null {
  return useSelected.getState().bySession[sessionId] ?? null
}

/** Chooses a tool for a session in place of the one before; null chooses none. */
export function selectTool(sessionId: string, toolId: string | null): void {
  const { [sessionId]: _, ...others } = useSelected.getState().bySession
  const entries = [...Object.entries(others), ...(toolId ? [[sessionId, toolId] as const] : [])]
  const bySession = Object.fromEntries(entries.slice(-KEPT))
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
