const buttonStyle =
  'display:inline-block;padding:10px 18px;border-radius:8px;background:#1f2937;color:#ffffff;text-decoration:none'

/** Returns a mail's HTML around its escaped parts. */
export function page(parts: string[]): string {
  const style = 'font:16px/1.5 system-ui,sans-serif;color:#111;max-width:560px;margin:0 auto;padding:24px'
  return `<!doctype html><html><body><div style="${style}">${parts.join('')}</div></body></html>`
}

export function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`
}

/** Returns a link that looks like a button. */
export function button(text: string, link: string): string {
  return `<p style="margin:24px 0"><a href="${escapeHtml(link)}" style="${buttonStyle}">${escapeHtml(text)}</a></p>`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}
