import { parseUrl } from '#shared/platform/parse-url.ts'

const KEY = 'lastPath'

/** Remembers a path that resolved to a view the person may see. Query and hash are left out: they may hold secrets. */
export function storeLastPath(path: string): void {
  const clean = pathOnly(path)
  if (isUsable(clean)) localStorage.setItem(KEY, clean)
}

/** The path remembered last, or null when there is none or it cannot be used as a target. */
export function readLastPath(): string | null {
  const path = localStorage.getItem(KEY)
  return path && isUsable(path) ? path : null
}

/** Where to go after signing in: where the person came from, else the last path, else the root. `/chat` is the root. */
export function afterLoginPath(
  from: string | null | undefined,
  lastPath: string | null = readLastPath(),
): string {
  const target = [from, lastPath].find((path) => path && isUsable(path)) ?? '/'
  return pathOnly(target) === '/chat' ? target.replace('/chat', '/') : target
}

/** Where a signed-in visit to the login page goes: the last path, or `/chat` when that says nothing. */
export function signedInLoginTarget(lastPath: string | null = readLastPath()): string {
  return lastPath && lastPath !== '/' && isUsable(lastPath) ? lastPath : '/chat'
}

/** Whether a path belongs to the login area, also by one of its short names. */
export function isLoginPath(path: string): boolean {
  return /^\/(login|signup|forgot-password|reset-password|verify-email|check-email)(\/|$)/.test(
    pathOnly(path),
  )
}

/** An invitation is looked at once more by who has signed in for it. */
const isInvitation = (path: string) => pathOnly(path) === '/login/invitation'

/**
 * Whether a path may be returned to. An installed product has no gallery, which a browser may still remember, and what a program asks
 * for stands in the query.
 */
export function isUsable(path: string): boolean {
  return (
    isOwnPath(path) && (!isLoginPath(path) || isInvitation(path)) && !['/gallery', '/connect'].includes(path)
  )
}

/** A path of this site: never `//host` or `/\host`, which browsers take for another site, also with a tab in between. */
function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path) && parseUrl(path, location.origin)?.origin === location.origin
}

function pathOnly(path: string): string {
  return path.split(/[?#]/)[0] || '/'
}
