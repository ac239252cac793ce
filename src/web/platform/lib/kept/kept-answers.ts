/** Begins the names of the caches of the service worker with answers for one sign-in. */
const ANSWERS = 'atrium-answers-'
/** The cache in which the service worker puts what another app shared. */
export const RECEIVED = 'atrium-received'

/** Deletes what another app shared. */
export async function forgetReceived(): Promise<void> {
  if ('caches' in globalThis) await caches.delete(RECEIVED).catch(() => false)
}

/** Deletes what the service worker keeps of the signed-in person, also answers under way. */
export function forgetAnswers(): void {
  navigator.serviceWorker?.controller?.postMessage('signed_out')
  void eachCache(async (name) => void (await caches.delete(name)))
}

/** Deletes what the service worker keeps of a chat. */
export function forgetAnswersOf(sessionId: string): void {
  void eachCache(async (name) => {
    const cache = await caches.open(name)
    for (const key of await cache.keys()) if (key.url.includes(sessionId)) await cache.delete(key)
  })
}

async function eachCache(change: (name: string) => Promise<void>): Promise<void> {
  // Pages without a secure connection have no caches.
  if (!('caches' in globalThis)) return
  const names = await caches.keys().catch(() => [])
  for (const name of names) if (name.startsWith(ANSWERS)) await change(name).catch(() => undefined)
}
