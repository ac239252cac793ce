const plainButton = { background: '#1f2937', text: '#ffffff' }
type Button = typeof plainButton

/** The look of a page in the name of a company. `logo.id` names an attached picture; sizes are in pixels. */
export type PageLook = {
  name: string | null
  button: Button | null
  logo: { id: string; width: number; height: number } | null
}

/** Marks what `dressHtml` replaces. Written text cannot contain these, because its quotes and brackets are escaped. */
const HEAD = '<div data-part="head"></div>'
const buttonStyle = ({ background, text }: Button) =>
  `data-part="button" style="display:inline-block;padding:10px 18px;border-radius:8px;background:${background};color:${text};text-decoration:none"`

/** Returns a mail's HTML around its escaped parts. */
export function page(parts: string[]): string {
  const style = 'font:16px/1.5 system-ui,sans-serif;color:#111;max-width:560px;margin:0 auto;padding:24px'
  return `<!doctype html><html><body><div style="${style}">${HEAD}${parts.join('')}</div></body></html>`
}

/** Returns a page with the logo, the name and the buttons of a company. */
export function dressHtml(html: string, look: PageLook): string {
  const { name, button, logo } = look
  const title = escapeHtml(name ?? '')
  const picture =
    logo &&
    `<img src="cid:${escapeHtml(logo.id)}" width="${logo.width}" height="${logo.height}" alt="${title}" style="vertical-align:middle;border:0">`
  const words = name && `<span style="font-weight:600;vertical-align:middle">${title}</span>`
  const head = [picture, words].filter(Boolean).join('&nbsp; ')
  const dressed = html.replace(HEAD, () => (head ? `<p style="margin:0 0 24px">${head}</p>` : ''))
  return button ? dressed.replaceAll(buttonStyle(plainButton), () => buttonStyle(button)) : dressed
}

export function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`
}

/** Returns a link that looks like a button. */
export function button(text: string, link: string): string {
  return `<p style="margin:24px 0"><a href="${escapeHtml(link)}" ${buttonStyle(plainButton)}>${escapeHtml(text)}</a></p>`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}
