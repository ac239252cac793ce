/** The part of the service worker API that is used here. Its own type library conflicts with that of pages. */
type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void }
type PushEvent = ExtendableEvent & { data: { json(): unknown } | null }
type NotificationClickEvent = ExtendableEvent & { notification: Notification }
type WorkerMessageEvent = ExtendableEvent & { data: unknown }
type WorkerFetchEvent = ExtendableEvent & {
  request: Request
  clientId: string
  respondWith(answer: Promise<Response>): void
}
type WindowClient = {
  url: string
  visibilityState: DocumentVisibilityState
  focus(): Promise<WindowClient>
  postMessage(message: unknown): void
}
type WorkerScope = {
  location: Location
  registration: ServiceWorkerRegistration
  clients: {
    claim(): Promise<void>
    get(id: string): Promise<WindowClient | undefined>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<WindowClient[]>
    openWindow(url: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', hear: (event: ExtendableEvent) => void): void
  addEventListener(type: 'push', hear: (event: PushEvent) => void): void
  addEventListener(type: 'notificationclick', hear: (event: NotificationClickEvent) => void): void
  addEventListener(type: 'message', hear: (event: WorkerMessageEvent) => void): void
  addEventListener(type: 'fetch', hear: (event: WorkerFetchEvent) => void): void
}
