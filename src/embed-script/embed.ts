/**
 * Adds an assistant to the corner of the page that loads this script, configured by `data-` attributes. Host styles do not
 * affect it, and it sends no request before it is opened.
 */
function putBubble({ src, dataset }: HTMLScriptElement): void {
  const { origin } = new URL(src)
  const words = {
    ...texts[dataset.lang === 'fr' || document.documentElement.lang.startsWith('fr') ? 'fr' : 'en'],
  }
  const button = document.createElement('button')
  button.type = 'button'
  Object.assign(button.style, buttonStyle)
  button.append(drawIcon())
  const panel = document.createElement('div')
  Object.assign(panel.style, panelStyle)
  let frame: HTMLIFrameElement | null = null
  const show = (isOpen: boolean) => {
    panel.style.display = isOpen ? 'block' : 'none'
    button.setAttribute('aria-expanded', String(isOpen))
    button.setAttribute('aria-label', isOpen ? words.close : (dataset.title ?? words.open))
    if (isOpen && !frame) {
      frame = createFrame(addressOf(origin, dataset), dataset.title ?? words.name)
      panel.append(frame)
    }
    if (isOpen) frame?.focus()
  }
  button.addEventListener('click', () => show(panel.style.display === 'none'))
  window.addEventListener('message', (event) => {
    if (event.source !== frame?.contentWindow || event.origin !== origin || event.data?.atrium !== 'close')
      return
    show(false)
    button.focus()
  })
  show(false)
  const put = () => document.body.append(panel, button)
  if (document.body) put()
  else addEventListener('DOMContentLoaded', put)
}

function addressOf(
  origin: string,
  { token = '', title, lang, theme, sources, starters }: DOMStringMap,
): string {
  // On a page with a single colour scheme, the assistant uses the same one.
  const scheme = getComputedStyle(document.documentElement).colorScheme
  const look = {
    title,
    lang,
    theme: theme ?? (/^(light|dark)$/.test(scheme) ? scheme : undefined),
    sources,
    starters,
  }
  const query = new URLSearchParams({ authToken: token, place: 'bubble' })
  for (const [name, value] of Object.entries(look)) if (value) query.set(name, value)
  return `${origin}/embed?${query}`
}

function createFrame(address: string, title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  // Sends only the origin, not the path. The origin decides whether the assistant opens here.
  frame.referrerPolicy = 'origin'
  frame.allow = 'clipboard-write'
  frame.title = title
  frame.src = address
  Object.assign(frame.style, { width: '100%', height: '100%', border: '0', display: 'block' })
  return frame
}

function drawIcon(): SVGElement {
  const name = 'http://www.w3.org/2000/svg'
  const icon = document.createElementNS(name, 'svg')
  const path = document.createElementNS(name, 'path')
  path.setAttribute('d', 'M21 15a2 2 0 0 1-2 2H7l-4 4V5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2z')
  icon.append(path)
  const look = { viewBox: '0 0 24 24', width: '24', height: '24', fill: 'none', stroke: 'currentColor' }
  for (const [key, value] of Object.entries({ ...look, 'stroke-width': '1.75', 'aria-hidden': 'true' }))
    icon.setAttribute(key, value)
  return icon
}

const texts = {
  en: { open: 'Open the assistant', close: 'Close the assistant', name: 'Assistant' },
  fr: { open: 'Ouvrir l’assistant', close: 'Fermer l’assistant', name: 'Assistant' },
}
const buttonStyle = {
  ...{ position: 'fixed', right: '16px', bottom: '16px', zIndex: '2147483646', cursor: 'pointer' },
  ...{ width: '52px', height: '52px', padding: '0', border: '0', borderRadius: '50%', display: 'grid' },
  ...{ placeItems: 'center', background: 'oklch(0.515 0.175 267)', color: 'white' },
}
const panelStyle = {
  ...{ position: 'fixed', right: '16px', bottom: '80px', zIndex: '2147483647', overflow: 'hidden' },
  ...{ width: 'min(380px, calc(100vw - 32px))', height: 'min(600px, calc(100vh - 104px))' },
  ...{ borderRadius: '14px', boxShadow: '0 8px 32px rgb(0 0 0 / 0.24)', background: 'Canvas' },
}

// Runs last, because it needs the definitions above.
const script = document.currentScript as HTMLScriptElement | null
if (script?.src) putBubble(script)
