const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Returns text of a source for HTML, without characters that no document can store. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('\0', '').replace(/[&<>"]/g, (sign) => signs[sign] ?? sign)

/** Returns a link, or only the text for an address that is no web or mail address. */
export function linkHtml(address: string, html: string): string {
  const isLink = /^(https?|mailto):/i.test(address) && URL.canParse(address)
  return isLink ? `<a href="${escapeHtml(address)}">${html}</a>` : html
}

/** Returns an HTML document. `body` is HTML, everything else text. Facts without a value are left out. */
export function pageHtml(page: {
  title: string
  body: string
  author?: string | undefined
  facts?: readonly (readonly [name: string, value: string | null | undefined])[]
}): string {
  const title = escapeHtml(page.title)
  const rows = (page.facts ?? []).filter(([, value]) => value)
  const table = rows.map(
    ([name, value]) => `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(value ?? '')}</td></tr>`,
  )
  return [
    '<!doctype html><html><head><meta charset="utf-8">',
    `<title>${title}</title>`,
    page.author ? `<meta name="author" content="${escapeHtml(page.author)}">` : '',
    `</head><body><h1>${title}</h1>`,
    table.length > 0 ? `<table>${table.join('')}</table>` : '',
    `${page.body}</body></html>`,
  ].join('\n')
}
