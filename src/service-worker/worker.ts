/** The service worker of the browsers that show notifications. It handles pushes; pages load without it. */
const worker = self as unknown as WorkerScope

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener('push', (event) => {
  const { tag, title, body, path } = (event.data?.json() ?? {}) as Record<string, string | undefined>
  if (!title) return
  event.waitUntil(
    worker.registration.showNotification(title, {
      body: body ?? '',
      // A repeated push replaces the first one silently.
      ...(tag && { tag }),
      icon: '/icon-192.png',
      badge: '/icon-192.png',
      data: { path: path ?? '/' },
    }),
  )
})

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open((event.notification.data as { path: string }).path))
})

/** Shows a place in an open tab without reloading it, or in a new one. Links to elsewhere open in a new tab. */
async function open(path: string): Promise<void> {
  const url = new URL(path, worker.location.origin)
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const isOwn = url.origin === worker.location.origin
  const shown = tabs.filter((tab) => !/^\/(embed|login|s)(\/|$)/.test(new URL(tab.url).pathname))
  const tab = shown.find(({ visibilityState }) => visibilityState === 'visible') ?? shown[0]
  if (!isOwn || !tab) {
    await worker.clients.openWindow(url.href)
    return
  }
  tab.postMessage({ type: 'open', path: url.pathname + url.search + url.hash })
  await tab.focus()
}
