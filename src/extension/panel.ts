/** The side panel: the embedded assistant in a frame, and its setup form. It stores only the address of the embed. */
const connect = find<HTMLFormElement>('connect')
const connected = find('connected')
const address = find<HTMLInputElement>('address')
const chat = find<HTMLIFrameElement>('chat')
const unread = find('unread')

for (const element of document.querySelectorAll<HTMLElement>('[data-text]'))
  element.textContent = chrome.i18n.getMessage(element.dataset.text ?? '')
document.documentElement.lang = chrome.i18n.getUILanguage()

void show()
chrome.storage.session.onChanged.addListener(({ offer }) => offer?.newValue && tell(offer.newValue))

connect.addEventListener('submit', (event) => {
  event.preventDefault()
  const given = readAddress(address.value)
  find('wrong').hidden = given !== null
  if (given) void chrome.storage.local.set({ address: given }).then(show)
})
find('leave').addEventListener('click', () => {
  void chrome.storage.session.remove('offer')
  void chrome.storage.local.remove('address').then(show)
})
find('use').addEventListener('click', () => void usePage())
// The assistant reports when it is ready; pending questions are sent then.
window.addEventListener('message', ({ source, data }: MessageEvent<{ atrium?: unknown } | null>) => {
  if (source !== chat.contentWindow || data?.atrium !== 'ready') return
  void chrome.storage.session.get('offer').then(({ offer }) => offer && tell(offer))
})

async function show(): Promise<void> {
  const kept = await chrome.storage.local.get('address')
  const given = readAddress(String(kept.address ?? ''))
  connect.hidden = given !== null
  connected.hidden = given === null
  unread.hidden = true
  if (given !== chat.getAttribute('src')) chat.src = given ?? 'about:blank'
}

/** Returns the address of an embedded assistant, otherwise null, so that no personal token is ever stored here. */
function readAddress(text: string): string | null {
  const url = parseUrl(text.trim())
  const isEmbed = url?.pathname === '/embed' && url.searchParams.get('authToken')?.startsWith('emb_')
  return url && isEmbed && /^https?:$/.test(url.protocol) ? url.href : null
}

/** Sends a message only to the assistant's origin, even when the frame has navigated elsewhere. */
function tell(offer: unknown): void {
  const origin = parseUrl(chat.src)?.origin
  if (!origin || origin === 'null') return
  chat.contentWindow?.postMessage({ ...(offer as object), atrium: 'page' }, origin)
}

async function usePage(): Promise<void> {
  unread.hidden = true
  try {
    const [tab] = await chrome.tabs.query({ active: true, currentWindow: true })
    const [read] = await chrome.scripting.executeScript({
      target: { tabId: tab?.id ?? -1 },
      func: () => ({
        title: document.title,
        url: location.href,
        text: document.body.innerText.slice(0, 40_000),
      }),
    })
    if (!read?.result) throw new Error('The page says nothing.')
    await chrome.storage.session.set({ offer: { ...read.result, isSelection: false, at: Date.now() } })
  } catch {
    unread.hidden = false
  }
}

function find<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind
}

/** Safari 17 has no `URL.parse`. */
function parseUrl(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null
}
