import { EMBED_PAGE, EMBED_SCRIPT } from '#shared/chat/embeds/addresses.ts'

export type Place = 'bubble' | 'frame' | 'extension'

/** Display settings of an embedded assistant; defaults are omitted from the snippet. */
export type Wanted = {
  place: Place
  title: string
  language: 'page' | 'en' | 'fr'
  theme: 'page' | 'light' | 'dark'
  showsSources: boolean
  showsStarters: boolean
}

/** Returns the snippet for a page, or the address for the extension. `origin` is that of this product. */
export function snippetOf(wanted: Wanted, token: string, origin: string): string {
  const look = lookOf(wanted)
  if (wanted.place === 'bubble') {
    const data = { token, place: 'bubble', ...look }
    const written = Object.entries(data).map(([name, value]) => `data-${name}="${escapeHtml(value)}"`)
    return `<script src="${origin}${EMBED_SCRIPT}" async\n  ${written.join(' ')}></script>`
  }
  const address = `${origin}${EMBED_PAGE}?${new URLSearchParams({ authToken: token, ...look })}`
  if (wanted.place === 'extension') return address
  return [
    `<iframe src="${escapeHtml(address)}"`,
    `  title="${escapeHtml(wanted.title)}" referrerpolicy="origin" allow="clipboard-write"`,
    '  style="width: 100%; height: 600px; border: 0"></iframe>',
  ].join('\n')
}

function lookOf({
  place,
  title,
  language,
  theme,
  showsSources,
  showsStarters,
}: Wanted): Record<string, string> {
  return {
    ...(title.trim() && place !== 'extension' && { title: title.trim() }),
    ...(language !== 'page' && { lang: language }),
    ...(theme !== 'page' && { theme }),
    ...(showsSources ? {} : { sources: 'off' }),
    ...(showsStarters ? {} : { starters: 'off' }),
  }
}

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (mark) => marks[mark] ?? mark)
