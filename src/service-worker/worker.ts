/**
 * The service worker. It starts the product from its cache when the server is slow or away, answers reads of chats that were seen
 * while there is no connection, receives what other apps share, and shows pushes. Everything works without it.
 */
const worker = self as unknown as WorkerScope

/** The page and the hashed files. They are the same for everybody. */
const SHELL = 'atrium-shell'
/** Begins the name of the cache with the answers for one sign-in; a hash of its token follows. */
const ANSWERS = 'atrium-answers-'
/** Texts and files that another app shared, until the page takes them. */
const RECEIVED = 'atrium-received'
/** Header of an answer from the cache. */
const FROM_CACHE = 'x-atrium-from-cache'
/** Time the server has to send the page or its texts before the cache does. */
const PATIENCE_MS = 250
const MAX_FILES = 400
const MAX_ANSWERS = 120
const MAX_ANSWER_CHARACTERS = 2_000_000
const MAX_RECEIVED_FILES = 10
/** Checks whether a chat may be kept, and the time between two. */
const MAX_CHECKS = 10
const CHECK_MS = 300
/** Statuses of proxies whose server does not answer. */
const ABSENT = [502, 503, 504]

/** Addresses at which the server sends the page. */
const pages =
  /^\/(?:(?:chat|home|documents|assistant|prompts|schedules|tools|user|inbox|notifications|trash|memory|project|received|login|admin|debug)(?:\/.*)?)?$/
const keptFiles = /^\/assets\/.+\.(?:js|css|woff2|svg)$/
const translations = /^\/api\/v1\/translations\//
const chatPaths = /^\/api\/v1\/sessions\/([\da-f-]{36})(\/active-branch)?$/
/** Other reads of the first screen. */
const keptReads = /^\/api\/v1\/(?:users\/me|available-models|projects|home)$/

worker.addEventListener('install', (event) =>
  // Without the page in the cache, the first visit puts it there.
  event.waitUntil(Promise.all([worker.skipWaiting(), readPage('/').catch(() => undefined)])),
)
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== worker.location.origin) return
  const { pathname } = url
  if (request.method === 'POST' && pathname === '/share') return event.respondWith(receive(request))
  if (request.method === 'DELETE') return forgetDeleted(event, pathname)
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') {
    if (pages.test(pathname)) event.respondWith(answerInTime(event, '/', () => readPage(request)))
  } else if (keptFiles.test(pathname)) event.respondWith(readFile(request))
  else if (translations.test(pathname))
    event.respondWith(answerInTime(event, pathname, () => readAndPut(request, pathname)))
  else if (isKept(url) && request.headers.has('authorization')) event.respondWith(readAnswer(event))
})

/** Returns whether the answer of an address is kept for the time without a connection. */
function isKept({ pathname, searchParams }: URL): boolean {
  if (pathname === '/api/v1/sessions') return searchParams.get('skip') === '0' && searchParams.size <= 2
  return keptReads.test(pathname) || chatPaths.test(pathname)
}

/** Answers from the server, or from the cache when the server is away or slow. */
async function answerInTime(
  event: ExtendableEvent,
  name: string,
  read: () => Promise<Response>,
): Promise<Response> {
  const cached = await caches.match(name, { cacheName: SHELL, ignoreVary: true })
  const reading = read()
  if (!cached) return reading
  event.waitUntil(reading.catch(() => undefined))
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(cached), PATIENCE_MS))
  const answered = reading.then(
    (response) => (ABSENT.includes(response.status) ? cached : response),
    () => cached,
  )
  return Promise.race([answered, late])
}

/** Reads the page, and puts it into the cache once the files of its first screen are there. */
async function readPage(request: Request | string): Promise<Response> {
  const response = await fetch(request)
  const isPage = response.ok && !response.redirected && response.headers.get('content-type')?.includes('html')
  if (isPage) void keepPage(response.clone()).catch(() => undefined)
  return response
}

async function keepPage(response: Response): Promise<void> {
  const shell = await caches.open(SHELL)
  const html = await response.clone().text()
  const before = await (await shell.match('/'))?.text()
  if (html === before) return
  const addresses = [...new Set(html.match(/\/assets\/[^"\s]+/g))].filter((path) => keptFiles.test(path))
  // Other views are loaded later, and are kept then.
  const later = /data-(?:preview|pdf|threads)="([^"]*)"/g
  const views = new Set([...html.matchAll(later)].flatMap(([, list = '']) => list.split(' ')))
  const first = addresses.filter((path) => !views.has(path))
  await Promise.all(first.map((path) => readFile(new Request(path))))
  await shell.put('/', response)
  await dropOldest(shell, MAX_FILES, [...first, '/'])
}

/** Returns a hashed file, which never changes: from the cache, otherwise from the server. */
async function readFile(request: Request): Promise<Response> {
  const cached = await caches.match(request, { cacheName: SHELL, ignoreVary: true })
  return cached ?? readAndPut(request, request.url)
}

async function readAndPut(request: Request, name: string): Promise<Response> {
  const response = await fetch(request)
  if (response.status === 200)
    await (await caches.open(SHELL)).put(name, response.clone()).catch(() => undefined)
  return response
}

/** Deletes the entries that were put first until `max` are left, except those in `spared`. */
async function dropOldest(cache: Cache, max: number, spared: readonly string[] = []): Promise<void> {
  const keys = await cache.keys()
  const others = keys.filter(({ url }) => !spared.includes(new URL(url).pathname))
  for (const key of others.slice(0, Math.max(0, keys.length - max))) await cache.delete(key)
}

/** Caches that were used since the worker started, and those of sign-ins that ended. Their answers may still be under way. */
const used = new Set<string>()
const ended = new Set<string>()

/** Answers a read of the signed-in person: from the server, or without a connection what it answered before. */
async function readAnswer(event: WorkerFetchEvent): Promise<Response> {
  const { request } = event
  const client = event.clientId ? await worker.clients.get(event.clientId) : undefined
  // Visitors of an embedded assistant leave nothing behind.
  const isVisit = client && new URL(client.url).pathname.startsWith('/embed')
  if (isVisit) return fetch(request)
  const name = await nameOf(request)
  try {
    const response = await fetch(request)
    if (response.ok) event.waitUntil(keepAnswer(name, request, response.clone()).catch(() => undefined))
    else if ([403, 404].includes(response.status)) event.waitUntil(forgetChat(new URL(request.url).pathname))
    return response
  } catch (error) {
    const cached = await caches.match(request.url, { cacheName: name, ignoreVary: true })
    if (!cached) throw error
    return cached
  }
}

/** Returns the name of the cache for the token of a request. */
async function nameOf(request: Request): Promise<string> {
  const token = new TextEncoder().encode(request.headers.get('authorization') ?? '')
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', token))
  const name = ANSWERS + [...hash.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  used.add(name)
  return name
}

async function keepAnswer(name: string, request: Request, response: Response): Promise<void> {
  const text = await response.text()
  if (text.length > MAX_ANSWER_CHARACTERS) return
  const { pathname } = new URL(request.url)
  const [, chatId, branch] = chatPaths.exec(pathname) ?? []
  if (chatId && !branch && JSON.parse(text).is_temporary) return forgetChat(pathname)
  if (chatId && branch && !(await isListedChat(name, chatId))) return
  if (ended.has(name)) return
  for (const other of await caches.keys())
    if (other.startsWith(ANSWERS) && other !== name) await caches.delete(other)
  const cache = await caches.open(name)
  const headers = { 'content-type': 'application/json', [FROM_CACHE]: 'yes' }
  // A repeated entry becomes the newest.
  await cache.delete(request.url, { ignoreVary: true })
  await cache.put(request.url, new Response(text, { headers }))
  await dropOldest(cache, MAX_ANSWERS, ['/api/v1/users/me', '/api/v1/sessions'])
  if (ended.has(name)) await caches.delete(name)
  if (pathname === '/api/v1/sessions') await dropGoneChats(name, request, text)
}

/** Returns whether the server listed a chat, or described it as one that stays. A temporary chat is never listed. */
async function isListedChat(name: string, id: string): Promise<boolean> {
  for (let check = 0; check < MAX_CHECKS; check += 1) {
    const cache = await caches.open(name)
    const known = (await cache.keys()).filter(({ url }) => !url.includes('/active-branch'))
    for (const key of known) {
      const { pathname } = new URL(key.url)
      if (pathname === `/api/v1/sessions/${id}`) return true
      if (pathname === '/api/v1/sessions' && (await (await cache.match(key))?.text())?.includes(id))
        return true
    }
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS))
  }
  return false
}

/** Chats that were looked for since the worker started. */
const lookedFor = new Set<string>()

/** Deletes the kept chats that the server does not have for the person any more. */
async function dropGoneChats(name: string, request: Request, list: string): Promise<void> {
  const kept = (await (await caches.open(name)).keys()).flatMap(
    ({ url }) => chatPaths.exec(new URL(url).pathname)?.[1] ?? [],
  )
  for (const id of new Set(kept)) {
    if (list.includes(id) || lookedFor.has(id)) continue
    lookedFor.add(id)
    const path = `/api/v1/sessions/${id}`
    const { status } = await fetch(path, { headers: request.headers })
    if ([403, 404].includes(status)) await forgetChat(path)
  }
}

function forgetDeleted(event: ExtendableEvent, pathname: string): void {
  if (chatPaths.test(pathname)) event.waitUntil(forgetChat(pathname))
}

/** Deletes what is kept of a chat. */
async function forgetChat(pathname: string): Promise<void> {
  const [, id] = chatPaths.exec(pathname) ?? []
  if (!id) return
  for (const name of (await caches.keys()).filter((one) => one.startsWith(ANSWERS))) {
    const cache = await caches.open(name)
    for (const key of await cache.keys()) if (key.url.includes(id)) await cache.delete(key)
  }
}

worker.addEventListener('message', (event) => {
  if (event.data === 'signed_out') event.waitUntil(forgetAnswers())
})

/** Deletes all answers after a sign-out, also those under way. */
async function forgetAnswers(): Promise<void> {
  for (const name of used) ended.add(name)
  for (const name of await caches.keys()) if (name.startsWith(ANSWERS)) await caches.delete(name)
}

/** Keeps what another app shared, and opens the page that makes a chat of it. */
async function receive(request: Request): Promise<Response> {
  const form = await request.formData()
  const said = ['title', 'text', 'url'].map((name) => String(form.get(name) ?? '').trim())
  const files = form.getAll('files').filter((entry) => entry instanceof File)
  await caches.delete(RECEIVED)
  const received = await caches.open(RECEIVED)
  await received.put('/received/text', new Response([...new Set(said)].filter(Boolean).join('\n')))
  for (const [at, file] of files.slice(0, MAX_RECEIVED_FILES).entries()) {
    const headers = { 'content-type': file.type, 'x-name': encodeURIComponent(file.name) }
    await received.put(`/received/${at}`, new Response(file, { headers }))
  }
  return Response.redirect('/received', 303)
}

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
