import { toHtml } from 'hast-util-to-html'
import rehypeSanitize, { type Options } from 'rehype-sanitize'
import { cleanDeclarations, cleanStyleSheet, MAX_STYLE_LENGTH, OWN_PICTURE } from './clean-styles.ts'
import { attribute, everyElement, type HastElement, parseHtml, type Root, textBelow } from './hast.ts'
import { safeLink } from './inline.ts'

const words = (text: string) => text.trim().split(/\s+/)

/** The allowed elements of a page or mail. An element in neither list is removed, but its content stays. */
const allowed: Options = {
  allowComments: false,
  allowDoctypes: true,
  // The page is shown in its own frame, where its names cannot shadow anything.
  clobber: [],
  clobberPrefix: '',
  ancestors: {},
  required: {},
  tagNames: words(`html head title body style
    a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup data dd del details dfn dir div
    dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd label li main mark menu meter nav nobr
    ol p picture pre progress q rp rt ruby s samp search section small span strike strong sub summary sup table tbody td tfoot
    th thead time tr tt u ul var wbr area map fieldset legend`),
  /** These are removed together with their content. */
  strip:
    words(`script noscript template iframe frame frameset noframes object embed applet portal audio video canvas svg math
    input button select option optgroup textarea datalist output dialog xmp plaintext noembed`),
  attributes: {
    '*': words(`className id style dir lang title align vAlign width height bgColor color border hidden role ariaLabel ariaHidden
      ariaDescribedBy ariaLabelledBy hSpace vSpace clear noWrap size face tabIndex`),
    a: ['href', 'name'],
    area: ['href', 'shape', 'coords', 'alt'],
    map: ['name'],
    body: ['text', 'link', 'vLink', 'aLink', 'topMargin', 'leftMargin', 'marginWidth', 'marginHeight'],
    img: ['src', 'alt', 'useMap'],
    table: ['cellPadding', 'cellSpacing', 'summary', 'rules', 'frame'],
    td: ['colSpan', 'rowSpan', 'headers', 'scope', 'abbr'],
    th: ['colSpan', 'rowSpan', 'headers', 'scope', 'abbr'],
    col: ['span'],
    colgroup: ['span'],
    ol: ['start', 'type', 'reversed', 'compact'],
    ul: ['type', 'compact'],
    li: ['value', 'type'],
    hr: ['noShade'],
    details: ['open'],
    time: ['dateTime'],
    data: ['value'],
    meter: ['value', 'min', 'max', 'low', 'high', 'optimum'],
    progress: ['value', 'max'],
    style: ['media'],
  },
  protocols: { href: ['http', 'https', 'mailto', 'tel', 'ftp'], src: ['data'] },
}
const sanitize = rehypeSanitize(allowed)

/**
 * A page for a sandboxed frame: it runs nothing, requests nothing from elsewhere and only leads elsewhere by a clicked
 * link. Its look stays as far as the page itself defines it. @throws Unreadable when it is nested absurdly deep
 */
export function cleanHtml(text: string): string {
  const tree = sanitize(parseHtml(text)) as Root
  let styleLength = 0
  for (const element of everyElement(tree)) {
    if (element.tagName === 'style') {
      const css = textBelow(element)
      styleLength += css.length
      element.children = [{ type: 'text', value: styleLength > MAX_STYLE_LENGTH ? '' : cleanStyleSheet(css) }]
    }
    settle(element)
  }
  return toHtml(tree, { allowDangerousHtml: false })
}

/** Checks that the list of allowed names cannot express. */
function settle({ tagName, properties }: HastElement): void {
  const style = attribute({ properties } as HastElement, 'style')
  const clean = style === '' ? '' : cleanDeclarations(style)
  if (clean === '') delete properties.style
  else properties.style = clean
  if (tagName === 'img' && !OWN_PICTURE.test(String(properties.src ?? '').trim())) delete properties.src
  if (properties.href === undefined) return
  const link = safeLink(String(properties.href))
  if (link === undefined) delete properties.href
  else if (!link.startsWith('#'))
    Object.assign(properties, { target: '_blank', rel: ['noopener', 'noreferrer'] })
}
