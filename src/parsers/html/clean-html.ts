import { toHtml } from 'hast-util-to-html'
import { type Content, type HastElement, type Nodes, parseHtml, type Root } from './hast.ts'
import { safeLink } from './inline.ts'

const dropped = new Set([
  ...[
    'script',
    'noscript',
    'template',
    'iframe',
    'frame',
    'frameset',
    'object',
    'embed',
    'applet',
    'base',
    'link',
    'meta',
  ],
  ...[
    'form',
    'input',
    'button',
    'select',
    'textarea',
    'audio',
    'video',
    'source',
    'track',
    'portal',
    'svg',
    'math',
    'canvas',
  ],
])
/** Elements of which only what stands in them stays. */
const unwrapped = new Set(['form', 'noscript'])

/** Attributes that lead to what is loaded or run; `src` stays for pictures that are in the page itself. */
const loading =
  /^(src|srcSet|background|poster|data|action|formAction|ping|longDesc|codeBase|archive|manifest|xLinkHref)$/

/**
 * A page for a sandboxed frame: nothing in it runs, asks for anything elsewhere or leads anywhere but by a link that is clicked. How
 * it looks stays, as far as it is said in the page.
 */
export function cleanHtml(text: string): string {
  const root = parseHtml(text)
  clean(root)
  return toHtml(root, { allowDangerousHtml: false })
}

function clean(node: Nodes): void {
  if (!('children' in node)) return
  const children = (node.children as Content[]).flatMap((child): Content[] => {
    if (child.type === 'comment') return []
    if (child.type !== 'element') return [child]
    if (unwrapped.has(child.tagName)) {
      clean(child)
      return child.tagName === 'noscript' ? [] : (child.children as Content[])
    }
    if (dropped.has(child.tagName)) return []
    strip(child)
    clean(child)
    return [child]
  })
  ;(node as Root).children = children
}

function strip(node: HastElement): void {
  for (const [name, value] of Object.entries(node.properties)) {
    const text = Array.isArray(value) ? value.join(' ') : String(value)
    if (/^on/i.test(name) || (loading.test(name) && !isInside(node, name, text))) delete node.properties[name]
    else if (name === 'style') node.properties.style = withoutLoads(text)
  }
  if (node.properties.href !== undefined) {
    const link = safeLink(String(node.properties.href))
    if (link === undefined) delete node.properties.href
    else if (!link.startsWith('#'))
      Object.assign(node.properties, { target: '_blank', rel: ['noopener', 'noreferrer'] })
  }
  if (node.tagName === 'style')
    for (const child of node.children) if (child.type === 'text') child.value = withoutLoads(child.value)
}

const isInside = (node: HastElement, name: string, value: string) =>
  node.tagName === 'img' &&
  name === 'src' &&
  /^data:image\/(png|jpe?g|gif|webp|bmp);base64,/i.test(value.trim())

/** Style sheets load by `url()`, `image-set()` and `@import`, and can hide these names behind escapes. */
function withoutLoads(css: string): string {
  return css
    .replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_, code: string | undefined, sign: string) => {
      return code === undefined ? sign : String.fromCharCode(Number.parseInt(code, 16))
    })
    .replace(/@import[^;]*;?/gi, '')
    .replace(/\b(url|image-set|image|cross-fade|src|expression)\s*\([^)]*\)?/gi, 'none')
    .replace(/(-moz-binding|behavior)\s*:/gi, 'x-none:')
    .replace(/<\/?style/gi, '')
}
