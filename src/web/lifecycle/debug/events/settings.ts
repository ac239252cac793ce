import { useCallback, useState } from 'react'
import type { AgentType } from '#shared/runs/runs/agent-type.ts'
import { useToken } from '../../../platform/lib/me/token.ts'
import { findIdTrouble } from './session-id.ts'

/** Auth scheme of the event stream: cookie, query parameter, or a full URL. */
export type AuthMode = 'cookie' | 'token' | 'url'
export const authModes: AuthMode[] = ['cookie', 'token', 'url']

export type DebugSettings = {
  token: string
  authMode: AuthMode
  /** Whether to set the stream cookie before connecting. */
  createsCookie: boolean
  url: string
  sessionId: string
  agentType: AgentType
}
export type ChangeSettings = (patch: Partial<DebugSettings>) => void

/** Settings shared by both tabs. The token defaults to that of the signed-in user. */
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

/** Returns the session id of the settings, or null while it is invalid. */
export function sessionOf({ sessionId }: DebugSettings): string | null {
  return findIdTrouble(sessionId) === null ? sessionId.trim().toLowerCase() : null
}
