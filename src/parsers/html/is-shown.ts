import { attribute, type HastElement } from './hast.ts'

const neverText = new Set([
  ...[
    'script',
    'style',
    'noscript',
    'template',
    'head',
    'title',
    'meta',
    'link',
    'svg',
    'canvas',
    'iframe',
    'object',
  ],
  ...['embed', 'audio', 'video', 'map', 'select', 'textarea', 'datalist', 'button', 'input', 'dialog'],
])

/** Returns true if a reader of the page sees the text of an element. */
export function isShown(node: HastElement): boolean {
  if (neverText.has(node.tagName)) return false
  if (node.properties.hidden || attribute(node, 'ariaHidden') === 'true') return false
  return !/display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all/i.test(attribute(node, 'style'))
}

/** Menus and page footers. */
export function isAroundContent(node: HastElement): boolean {
  if (node.tagName === 'nav') return true
  return /^(navigation|search|contentinfo)$/.test(attribute(node, 'role'))
}
