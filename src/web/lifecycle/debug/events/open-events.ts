import { streamEvents } from '#shared/runs/runs/runs.ts'
import { readApiError } from '../../../platform/lib/api/api-error.ts'
import { urlOf } from '../../../platform/lib/api/call.ts'
import { writeStreamCookie } from '../../../platform/lib/me/token.ts'
import { findIdTrouble } from './session-id.ts'
import { type DebugSettings, sessionOf } from './settings.ts'

/** Returns the URL of a session's event stream, without credentials. */
export function eventsUrl(sessionId: string): string {
  return new URL(urlOf(streamEvents, { params: { sessionId } }), location.origin).href
}

/** Returns why a stream cannot be opened: an invalid session id or URL. Null when it can. */
export function findTrouble(settings: DebugSettings): 'empty' | 'invalid' | 'url' | null {
  if (settings.authMode !== 'url') return findIdTrouble(settings.sessionId)
  return /^https?:\/\//i.test(settings.url.trim()) && URL.canParse(settings.url.trim()) ? null : 'url'
}

/** Returns the session of the stream; null when a URL names none. */
export function targetOf(settings: DebugSettings): string | null {
  if (settings.authMode !== 'url') return sessionOf(settings)
  return /\/sessions\/([0-9a-f-]{36})\/events/i.exec(settings.url)?.[1] ?? null
}

/**
 * Opens the event stream like an EventSource: with the last event id and no custom headers.
 * @throws ApiError when the server refuses, and whatever `fetch` throws.
 */
export async function openEvents(
  settings: DebugSettings,
  signal: AbortSignal,
  lastId: string | null,
): Promise<Response> {
  const { authMode, token, createsCookie } = settings
  if (authMode === 'cookie' && createsCookie && token) writeStreamCookie(token)
  const address = addressOf(settings)
  // Cross-origin, the header would need a CORS preflight, and a refusal ends the stream.
  const isOurs = new URL(address, location.href).origin === location.origin
  const response = await fetch(address, {
    headers: {
      accept: 'text/event-stream',
      ...(lastId !== null && isOurs ? { 'last-event-id': lastId } : {}),
    },
    // The cookie must not authenticate a request that tests a token.
    credentials: authMode === 'token' ? 'omit' : 'same-origin',
    signal,
  })
  if (!response.ok) throw await readApiError(response, { streaming: true })
  return response
}

function addressOf(settings: DebugSettings): string {
  const { authMode, token, url, sessionId } = settings
  if (authMode === 'url') return url.trim()
  const address = eventsUrl(sessionOf(settings) ?? sessionId)
  return authMode === 'token' ? `${address}?token=${encodeURIComponent(token)}` : address
}
