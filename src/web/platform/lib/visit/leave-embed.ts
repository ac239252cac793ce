import { EMBED_PAGE } from '#shared/chat/embeds/addresses.ts'

/** Whether this document was opened as the embed page, which other sites may frame. */
let isEmbed: boolean | null = null

/**
 * Keeps the rest of the application out of a document that another site may frame: from the embed page, every other view is
 * loaded from the server, whose policy decides who may frame it. Never resolves while the browser loads that view.
 */
export async function leaveEmbed(pathname: string, href: string, load = loadPage): Promise<void> {
  isEmbed ??= pathname === EMBED_PAGE
  if (!isEmbed || pathname === EMBED_PAGE) return
  load(href)
  await new Promise<never>(() => undefined)
}

/** Resets how the document was opened. For tests that open several pages in one document. */
export function forgetOpened(): void {
  isEmbed = null
}

const loadPage = (href: string) => window.location.assign(href)
