const PREFIX = 'kept:'
const OWN = 'own:'
const OWNER = 'keptFor'
const MAX_WAIT_MS = 90 * 24 * 60 * 60 * 1000
/** Texts that did not fit into the storage; they live as long as the page. */
const unstored = new Map<string, string>()
let lookedThroughFor: string | null = null
const listeners = new Set<() => void>()

/** Returns the person's unsent text under a name, or null. It survives a reload, the tab and the token. */
export function readKept(name: string): string | null {
  return unstored.get(name) ?? read(PREFIX + name)?.text ?? null
}

/** Stores a text under a name; an empty one deletes it. */
export function keep(name: string, text: string): void {
  unstored.delete(name)
  try {
    if (text) localStorage.setItem(PREFIX + name, JSON.stringify({ at: Date.now(), text }))
    else localStorage.removeItem(PREFIX + name)
  } catch {
    unstored.set(name, text)
  }
  tell()
}

/** Returns this tab's text under a name, which survives a reload; an empty text means that it was deleted here. */
export function readOwn(name: string): string | null {
  return sessionStorage.getItem(OWN + name)
}

/** Stores a text for this tab, and for the next one that opens. A later text of another tab stays. */
export function keepOwn(name: string, text: string): void {
  const isOurs = readKept(name) === readOwn(name)
  try {
    sessionStorage.setItem(OWN + name, text)
  } catch {
    sessionStorage.removeItem(OWN + name)
  }
  if (text || isOurs) keep(name, text)
}

/** Returns the names with this prefix. */
export function keptNames(start: string): string[] {
  const stored = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))
  const names = [...stored.map((key) => key.slice(PREFIX.length)), ...unstored.keys()]
  return [...new Set(names)].filter((name) => name.startsWith(start))
}

/** Calls `listener` after every change, in this tab or another. Returns a function that stops it. */
export function subscribeKept(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

function tell(): void {
  for (const listener of listeners) listener()
}

/** Deletes the texts of a deleted chat. */
export function forgetKeptOf(sessionId: string): void {
  const isOfIt = (name: string) => name.endsWith(`:${sessionId}`)
  forgetOwn(isOfIt)
  forget(isOfIt)
}

/** Deletes all texts. */
export function forgetKept(): void {
  lookedThroughFor = null
  forgetOwn(() => true)
  forget(() => true)
}

/** Sets the signed-in person: deletes texts of others, and texts unused for 90 days. */
export function keepFor(userId: string): void {
  if (lookedThroughFor === userId) return
  lookedThroughFor = userId
  if (sessionStorage.getItem(OWNER) !== userId) {
    forgetOwn(() => true)
    sessionStorage.setItem(OWNER, userId)
  }
  if (localStorage.getItem(OWNER) !== userId) {
    forget(() => true)
    localStorage.setItem(OWNER, userId)
  }
  forget((name) => (read(PREFIX + name)?.at ?? 0) < Date.now() - MAX_WAIT_MS)
}

function forgetOwn(isGone: (name: string) => boolean): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(OWN) && isGone(key.slice(OWN.length))) sessionStorage.removeItem(key)
}

function forget(isGone: (name: string) => boolean): void {
  for (const name of keptNames('').filter(isGone)) {
    localStorage.removeItem(PREFIX + name)
    unstored.delete(name)
  }
  tell()
}

function read(key: string): { at: number; text: string } | null {
  try {
    const { at, text } = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof text === 'string' ? { at: Number(at), text } : null
  } catch {
    return null
  }
}
