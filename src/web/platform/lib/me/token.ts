import { useSyncExternalStore } from 'react'

const KEY = 'token'
/** The cookie that authenticates event streams. */
export const STREAM_COOKIE = 'sse_auth_token'
const listeners = new Set<() => void>()

/** Token of a visitor of an embedded assistant; null on every other page. */
let visiting: string | null = null

/**
 * Makes this page call as a visitor, never as the user signed in in this browser. `''` calls anonymously, null as the
 * signed-in user again.
 */
export function visitWith(token: string | null): void {
  visiting = token
  for (const listener of listeners) listener()
}

/** Returns the bearer token of the signed-in person, or null. It is stored only in local storage and in the stream cookie. */
export function getToken(): string | null {
  return visiting ?? localStorage.getItem(KEY)
}

/** Signs in: stores the token and the cookie for event streams. */
export function setToken(token: string): void {
  localStorage.setItem(KEY, token)
  writeStreamCookie(token)
  for (const listener of listeners) listener()
}

/** Signs out here: removes the token and both stream cookies. */
export function clearToken(): void {
  localStorage.removeItem(KEY)
  clearStreamCookies()
  for (const listener of listeners) listener()
}

/** Sets the `sse_auth_token` cookie: whole site, same site only, secure if the page is. */
export function writeStreamCookie(token: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain http.
  document.cookie = `${STREAM_COOKIE}=${encodeURIComponent(token)}; path=/; SameSite=Strict; Max-Age=7776000${secure}`
}

/** Returns the token reactively, including changes by other tabs. */
export function useToken(): string | null {
  return useSyncExternalStore(subscribeToken, getToken)
}

/** Calls `listener` after every change of the token, in this tab or another. Returns a function that stops it. */
export function subscribeToken(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}

function clearStreamCookies() {
  for (const name of [STREAM_COOKIE, 'token']) {
    // biome-ignore lint/suspicious/noDocumentCookie: see above.
    document.cookie = `${name}=; path=/; SameSite=Strict; Max-Age=0`
  }
}
