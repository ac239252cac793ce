import { SaxesParser } from 'saxes'
import { Unreadable } from '../elements/port.ts'
import { cleanDeclarations, OWN_PICTURE } from '../html/clean-styles.ts'

const words = (text: string) => new Set(text.trim().toLowerCase().split(/\s+/))

/** The allowed elements of a drawing. All others are removed with their content: scripts, styles, animation, embedded pages. */
const ELEMENTS =
  words(`svg g a defs symbol use switch marker path rect circle ellipse line polyline polygon text tspan textPath title desc
  image linearGradient radialGradient stop clipPath mask pattern filter feBlend feColorMatrix feComponentTransfer feFuncA feFuncB feFuncG
  feFuncR feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feGaussianBlur
  feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`)
const ATTRIBUTES =
  words(`id class version viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d dx dy points
  transform pathLength rotate textLength lengthAdjust startOffset method spacing space lang fill fill-opacity fill-rule stroke
  stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-dasharray stroke-dashoffset stroke-miterlimit color opacity
  display visibility overflow clip clip-path clip-rule mask filter marker-start marker-mid marker-end paint-order vector-effect
  shape-rendering text-rendering image-rendering color-interpolation color-interpolation-filters font-family font-size
  font-style font-variant font-weight font-stretch letter-spacing word-spacing text-anchor text-decoration dominant-baseline
  alignment-baseline baseline-shift direction unicode-bidi writing-mode offset stop-color stop-opacity gradientUnits
  gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits patternUnits patternContentUnits patternTransform
  filterUnits primitiveUnits markerUnits markerWidth markerHeight refX refY orient in in2 result mode type values operator k1 k2 k3
  k4 order kernelMatrix divisor bias targetX targetY edgeMode preserveAlpha surfaceScale diffuseConstant specularConstant
  specularExponent kernelUnitLength stdDeviation baseFrequency numOctaves seed stitchTiles scale xChannelSelector
  yChannelSelector azimuth elevation z pointsAtX pointsAtY pointsAtZ limitingConeAngle flood-color flood-opacity lighting-color
  tableValues slope intercept amplitude exponent radius`)
const NAMESPACES = ['http://www.w3.org/2000/svg', 'http://www.w3.org/1999/xlink']
const TEXT = new Set(['text', 'title', 'desc'])

/** The texts of a drawing, and the drawing without anything that runs or loads. @throws Unreadable */
export function readSvg(source: string): { texts: string[]; svg: string } {
  const parser = new SaxesParser()
  const texts: string[] = []
  const parts: string[] = []
  let refused = 0
  let inText = 0
  let text = ''
  parser.on('opentag', ({ name, attributes }) => {
    if (refused > 0 || !ELEMENTS.has(plain(name))) return void refused++
    parts.push(`<${name}${Object.entries(attributes).flatMap(cleanAttribute).map(attribute).join('')}>`)
    if (TEXT.has(plain(name)) && inText++ === 0) text = ''
  })
  parser.on('closetag', ({ name }) => {
    if (refused > 0) return void refused--
    parts.push(`</${name}>`)
    if (!TEXT.has(plain(name)) || --inText > 0) return
    const trimmed = text.replace(/\s+/g, ' ').trim()
    if (trimmed) texts.push(trimmed)
  })
  parser.on('text', (chunk) => {
    if (refused > 0) return
    parts.push(escapeXml(chunk))
    if (inText > 0) text += chunk
  })
  try {
    parser.write(source).close()
  } catch (cause) {
    throw new Unreadable('damaged', {}, { cause })
  }
  return { texts, svg: parts.join('') }
}

/** An attribute that is allowed in a drawing; references lead to its own parts, and pictures are embedded. Empty if it is not allowed. */
function cleanAttribute([name, value]: [string, string]): [string, string][] {
  if (/^xmlns(:|$)/.test(name)) return NAMESPACES.includes(value) ? [[name, value]] : []
  if (plain(name) === 'href') return value.startsWith('#') || OWN_PICTURE.test(value) ? [[name, value]] : []
  if (plain(name) === 'style') return [[name, cleanDeclarations(value)]]
  const isKnown = ATTRIBUTES.has(plain(name))
  return isKnown && !/\\|url\(\s*(?!['"]?#[\w-]+['"]?\s*\))|image-set|javascript:/i.test(value)
    ? [[name, value]]
    : []
}

const plain = (name: string) => name.replace(/^.*:/, '').toLowerCase()
const attribute = ([name, value]: [string, string]) => ` ${name}="${escapeXml(value)}"`
const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
