import type { Element, Nodes } from 'hast'
import { fromHtml } from 'hast-util-from-html'
import { cleanLabel } from '#shared/platform/labels.ts'
import { headTags } from './head-tags.ts'

/** The metadata of a page, with absolute addresses. */
export type PageHead = {
  title: string | null
  description: string | null
  image: string | null
  icon: string | null
  publisher: string | null
}

/** Maximum characters that are read; metadata is at the start of a page. */
const HEAD_MOST = 200_000
const TITLE_MOST = 300
const DESCRIPTION_MOST = 1_000
const PUBLISHER_MOST = 100

/** Reads Open Graph, Twitter cards and plain HTML, in this order. `url` resolves relative addresses. */
export function readHead(html: string, url: string): PageHead {
  const elements = elementsOf(parse(html))
  const metas = new Map<string, string>()
  for (const { tagName, properties } of elements) {
    if (tagName !== 'meta') continue
    const name = String(properties.property ?? properties.name ?? '').toLowerCase()
    const content = String(properties.content ?? '')
    if (name && content.trim() && !metas.has(name)) metas.set(name, content)
  }
  const meta = (most: number, ...names: string[]) =>
    words(
      names.map((name) => metas.get(name)),
      most,
    )
  const title = elements.find(({ tagName }) => tagName === 'title')
  return {
    title: meta(TITLE_MOST, 'og:title', 'twitter:title') ?? words([title && textOf(title)], TITLE_MOST),
    description: meta(DESCRIPTION_MOST, 'og:description', 'twitter:description', 'description'),
    image: whole(metas.get('og:image') ?? metas.get('og:image:url') ?? metas.get('twitter:image'), url),
    icon: whole(iconIn(elements), url),
    publisher: meta(PUBLISHER_MOST, 'og:site_name', 'application-name'),
  }
}

/** Decodes a page with the charset of its content type or its first bytes; UTF-8 otherwise. */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const named = /charset\s*=\s*["']?([\w-]+)/i
  const label = named.exec(contentType)?.[1] ?? named.exec(head)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/** Parses only the metadata tags: the rest of a page may be nested without limit. */
function parse(html: string): Nodes {
  return fromHtml(headTags(html.slice(0, HEAD_MOST)))
}

function elementsOf(node: Nodes): Element[] {
  if (!('children' in node)) return []
  const inside = node.children.flatMap((child) => elementsOf(child))
  return node.type === 'element' ? [node, ...inside] : inside
}

const textOf = ({ children }: Element) =>
  children.map((child) => (child.type === 'text' ? child.value : '')).join('')

function words(candidates: readonly (string | undefined)[], most: number): string | null {
  const found = candidates.find((one) => one?.trim())
  return found === undefined ? null : cleanLabel(found.replace(/\s+/g, ' ').trim().slice(0, most))
}

/** Skips SVG icons, which may contain scripts. */
function iconIn(elements: readonly Element[]): string | undefined {
  const icons = elements.filter(
    ({ tagName, properties }) =>
      tagName === 'link' &&
      [properties.rel].flat().some((rel) => rel === 'icon' || rel === 'apple-touch-icon') &&
      !/svg/i.test(`${properties.type ?? ''} ${properties.href ?? ''}`),
  )
  const href = icons.find(({ properties }) => [properties.rel].flat().includes('icon')) ?? icons[0]
  return href?.properties.href === undefined ? undefined : String(href.properties.href)
}

function whole(address: string | undefined, base: string): string | null {
  if (!address || !URL.canParse(address.trim(), base)) return null
  const { href, protocol } = new URL(address.trim(), base)
  return protocol === 'http:' || protocol === 'https:' ? href : null
}
