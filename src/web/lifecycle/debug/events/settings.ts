import { useCallback, useState } from 'react'
import type { AgentType } from '#shared/runs/runs/agent-type.ts'
import { useToken } from '../../../platform/lib/me/token.ts'
import { findIdTrouble } from './session-id.ts'

/** How an event stream says who asks: the cookie, a query parameter, or an address that was typed as a whole. */
export type AuthMode = 'cookie' | 'token' | 'url'
export const authModes: AuthMode[] = ['cookie', 'token', 'url']

export type DebugSettings = {
  token: string
  authMode: AuthMode
  /** Write the stream cookie before connecting. */
  createsCookie: boolean
  url: string
  sessionId: string
  agentType: AgentType
}
export type ChangeSettings = (patch: Partial<DebugSettings>) => void

/** What both tabs work with. The token is that of the signed-in person until another one is typed. */
export function useSettings() {
  const own = useToken() ?? ''
  const [typed, setTyped] = useState<Partial<DebugSettings>>({})
  const settings: DebugSettings = {
    ...{
      token: own,
      authMode: 'cookie',
      createsCookie: true,
      url: '',
      sessionId: '',
      agentType: 'multi_turn',
    },
    ...typed,
  }
  const change = useCallback<ChangeSettings>((patch) => setTyped((before) => ({ ...before, ...patch })), [])
  return { settings, change }
}

/** The session the settings name, or null while what is typed is no id. */
export function sessionOf({ sessionId }: DebugSettings): string | null {
  return findIdTrouble(sessionId) === null ? sessionId.trim().toLowerCase() : null
}
