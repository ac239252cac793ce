import { parseUrl } from '#shared/platform/parse-url.ts'

/** Blocks all loading and scripts. Only inline styles and embedded pictures are allowed. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"
const ACTIVE = 'script, iframe, frame, object, embed, base, link, meta[http-equiv], animate, set'

/** Covers the whole page, regardless of its styles. */
const COVER =
  'all: unset !important; position: fixed !important; inset: 0 !important; z-index: 2147483647 !important; cursor: pointer !important'

/** Source that a click anywhere on the page opens. */
type Source = { url: string; name: string }

/**
 * Returns a stored page for a sandboxed frame. Links are made absolute, because the policy that the frame inherits blocks a
 * `base` element. With a source, a link covers the whole page; the page scrolls below it.
 */
export function framedPage(html: string, source: Source | null): string {
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const element of page.querySelectorAll(ACTIVE)) element.remove()
  for (const link of page.querySelectorAll('a, area')) settleLink(link, source?.url)
  const policy = page.createElement('meta')
  policy.httpEquiv = 'content-security-policy'
  policy.content = POLICY
  page.head.prepend(policy)
  if (source) page.body.append(coverOf(page, source))
  return (page.doctype ? '<!doctype html>' : '') + page.documentElement.outerHTML
}

/** Allows links within the page and web links in a new tab; removes all others. */
function settleLink(link: Element, base: string | undefined): void {
  const written = link.getAttribute('href') ?? ''
  for (const { name } of [...link.attributes]) if (/(^|:)href$/i.test(name)) link.removeAttribute(name)
  const address = parseUrl(written, base)
  if (written.startsWith('#')) link.setAttribute('href', `about:srcdoc${written}`)
  else if (address && /^(https?|mailto):$/.test(address.protocol)) {
    link.setAttribute('href', address.href)
    openApart(link)
  }
}

function coverOf(page: Document, { url, name }: Source): Element {
  const cover = page.createElement('a')
  cover.href = url
  cover.setAttribute('aria-label', name)
  cover.setAttribute('style', COVER)
  openApart(cover)
  return cover
}

function openApart(link: Element): void {
  link.setAttribute('target', '_blank')
  link.setAttribute('rel', 'noopener noreferrer')
}
