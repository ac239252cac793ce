import { parseUrl } from '#shared/platform/parse-url.ts'

const KEY = 'lastPath'

/** Remembers a path of a view the person may see. Query and hash are omitted, because they may contain secrets. */
export function storeLastPath(path: string): void {
  const clean = pathOnly(path)
  if (isUsable(clean)) localStorage.setItem(KEY, clean)
}

/** Returns the remembered path; null if there is none or it is not a valid target. */
export function readLastPath(): string | null {
  const path = localStorage.getItem(KEY)
  return path && isUsable(path) ? path : null
}

/** Returns where to go after sign-in: where the person came from, otherwise the last path, otherwise the root. `/chat` is the root. */
export function afterLoginPath(
  from: string | null | undefined,
  lastPath: string | null = readLastPath(),
): string {
  const target = [from, lastPath].find((path) => path && isUsable(path)) ?? '/'
  return pathOnly(target) === '/chat' ? target.replace('/chat', '/') : target
}

/** Returns where a signed-in visit to the login page goes: the last path, otherwise `/chat`. */
export function signedInLoginTarget(lastPath: string | null = readLastPath()): string {
  return lastPath && lastPath !== '/' && isUsable(lastPath) ? lastPath : '/chat'
}

/** Returns whether a path belongs to the login area, including short names. */
export function isLoginPath(path: string): boolean {
  return /^\/(login|signup|forgot-password|reset-password|verify-email|check-email)(\/|$)/.test(
    pathOnly(path),
  )
}

/** An invitation is opened again after signing in for it. */
const isInvitation = (path: string) => pathOnly(path) === '/login/invitation'

/**
 * Returns whether a path may be returned to. An installed product has no gallery, which a browser may still remember, and a
 * program's authorization request is in the query.
 */
export function isUsable(path: string): boolean {
  return (
    isOwnPath(path) && (!isLoginPath(path) || isInvitation(path)) && !['/gallery', '/connect'].includes(path)
  )
}

/** Returns whether a path is of this site: never `//host` or `/\host`, which browsers treat as another site, even with a tab in between. */
function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path) && parseUrl(path, location.origin)?.origin === location.origin
}

function pathOnly(path: string): string {
  return path.split(/[?#]/)[0] || '/'
}
