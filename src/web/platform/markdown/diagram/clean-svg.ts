/** Allowed elements. Anything else is removed: scripts, nested pages, external pictures, animation. */
const elements = new Set(
  `svg g defs marker path rect circle ellipse line polyline polygon text tspan title desc style symbol
  linearGradient radialGradient stop clipPath mask pattern filter feDropShadow feGaussianBlur feOffset feMerge
  feMergeNode feFlood feComposite`.split(/\s+/),
)

/**
 * Returns a sanitized drawing with its size in pixels: known elements, no handlers, no links or external resources. @throws
 * if the text is not an SVG with a size
 */
export function cleanSvg(text: string): { svg: string; width: number; height: number } {
  const page = new DOMParser().parseFromString(text, 'image/svg+xml')
  const root = page.documentElement
  if (root.localName !== 'svg' || page.querySelector('parsererror')) throw new Error('not an SVG')
  for (const element of [...root.querySelectorAll('*')]) cleanElement(element)
  cleanAttributes(root)
  const [, , width = 0, height = 0] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number)
  if (!(width > 0 && height > 0)) throw new Error('no size')
  root.setAttribute('width', String(Math.ceil(width)))
  root.setAttribute('height', String(Math.ceil(height)))
  root.removeAttribute('style')
  return {
    svg: new XMLSerializer().serializeToString(page),
    width: Math.ceil(width),
    height: Math.ceil(height),
  }
}

function cleanElement(element: Element): void {
  if (element.localName === 'a') unlink(element)
  else if (!elements.has(element.localName)) element.remove()
  else if (element.localName === 'style') element.textContent = harmlessRules(element.textContent ?? '')
  cleanAttributes(element)
}

/** A link is replaced with a group. */
function unlink(link: Element): void {
  const group = link.ownerDocument.createElementNS('http://www.w3.org/2000/svg', 'g')
  const place = link.getAttribute('transform')
  if (place && isHarmless(place)) group.setAttribute('transform', place)
  group.append(...link.childNodes)
  link.replaceWith(group)
}

function cleanAttributes(element: Element): void {
  for (const { name, value } of [...element.attributes]) {
    const isLink = /(^|:)href$/i.test(name) && !value.trim().startsWith('#')
    if (/^on/i.test(name) || isLink || !isHarmless(value)) element.removeAttribute(name)
  }
}

/**
 * Returns rules without external requests; empty otherwise. Rules are rejected, never repaired, because the rest of a rule
 * can become another one. References within the drawing (`url(#arrow)`) are allowed, and so is animation.
 */
function harmlessRules(rules: string): string {
  return isHarmless(rules) && !/@(?!(-webkit-)?keyframes\b|media\b)/i.test(rules) ? rules : ''
}

/** Returns whether a value requests nothing external. One with an escape could name anything. */
function isHarmless(value: string): boolean {
  return !/\\|url\(\s*(?!['"]?#[\w-]*['"]?\s*\))|image-set\(|javascript:/i.test(value)
}
