import { type CssNode, type Declaration, generate, type List, parse, walk } from 'css-tree'

/** Rules that contain other rules or define a look. All others are removed: `@import` and `@font-face` load, `@namespace` renames. */
const AT_RULES = /^(media|supports|container|layer|page|(-webkit-|-moz-)?keyframes)$/i
/** Functions of colours, lengths, shapes and animations. All others are removed, including `url()`, `image-set()` and `expression()`. */
const FUNCTIONS = new Set(
  `rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark var calc min max clamp round minmax repeat fit-content counter
  counters attr linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient
  repeating-conic-gradient cubic-bezier steps linear rotate rotatex rotatey rotatez rotate3d scale scalex scaley scalez scale3d
  translate translatex translatey translatez translate3d skew skewx skewy matrix matrix3d perspective inset circle ellipse
  polygon path blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia`.split(
    /\s+/,
  ),
)
const PROPERTY = /^(--|-webkit-|-moz-|-ms-|mso-)?[a-z][a-z0-9-]*$/i
/** Properties of old browsers that run code. */
const RUNS = /^(-moz-binding|behavior|-ms-behavior)$/i
/** Pictures embedded in the page itself. */
export const OWN_PICTURE = /^data:image\/(png|jpe?g|gif|webp|bmp);base64,[a-z0-9+/=\s]*$/i
/** References to shapes and colours of the same page, as in drawings. */
const OWN_PART = /^#[\w-]+$/
/** Deeper styles are made to exhaust a parser. */
const MAX_DEPTH = 50
export const MAX_STYLE_LENGTH = 1_000_000

/** The rules of a style sheet that load and run nothing, generated from the parsed style sheet. Empty if it cannot be parsed. */
export function cleanStyleSheet(css: string): string {
  return rewrite(css, 'stylesheet')
}

/** The same for a `style` attribute. */
export function cleanDeclarations(css: string): string {
  return rewrite(css, 'declarationList')
}

function rewrite(css: string, context: 'stylesheet' | 'declarationList'): string {
  if (css.length > MAX_STYLE_LENGTH || depthOf(css) > MAX_DEPTH) return ''
  try {
    const tree = parse(css, { context, parseCustomProperty: true, parseRulePrelude: true })
    walk(tree, (node, item, list: List<CssNode> | null) => {
      if (list && item && !isKept(node)) list.remove(item)
    })
    // A string may contain the end tag of the element.
    return generate(tree).replace(/<(?=[/!])/g, '\\3c ')
  } catch {
    return ''
  }
}

/** For rules and declarations; their contents are checked separately. */
function isKept(node: CssNode): boolean {
  if (node.type === 'Raw' || node.type === 'CDO' || node.type === 'CDC' || node.type === 'Comment')
    return false
  if (node.type === 'Atrule') return AT_RULES.test(node.name) && (!node.prelude || isHarmless(node.prelude))
  if (node.type === 'Rule') return node.prelude.type !== 'Raw' && isHarmless(node.prelude)
  return node.type !== 'Declaration' || isShown(node)
}

function isShown({ property, value }: Declaration): boolean {
  return PROPERTY.test(property) && !RUNS.test(property) && isHarmless(value)
}

/** Names are compared as written, so a name with an escape is never a known one. */
function isHarmless(part: CssNode): boolean {
  let isFine = part.type !== 'Raw'
  walk(part, (node) => {
    if (node.type === 'Raw') isFine = false
    else if (node.type === 'Url') isFine &&= OWN_PICTURE.test(node.value) || OWN_PART.test(node.value)
    else if (node.type === 'Function')
      isFine &&= FUNCTIONS.has(node.name.toLowerCase().replace(/^-(webkit|moz)-/, ''))
  })
  return isFine
}

/** The maximum nesting depth of brackets. */
function depthOf(css: string): number {
  let depth = 0
  let most = 0
  for (const sign of css) {
    if (sign === '(' || sign === '{' || sign === '[') most = Math.max(most, ++depth)
    else if ((sign === ')' || sign === '}' || sign === ']') && depth > 0) depth--
  }
  return most
}
