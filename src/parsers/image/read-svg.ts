import { SaxesParser } from 'saxes'
import { Unreadable } from '../elements/port.ts'

/** What runs, loads or brings in other languages. */
const REFUSED = new Set([
  'script',
  'foreignobject',
  'iframe',
  'object',
  'embed',
  'audio',
  'video',
  'set',
  'animate',
  'style',
])
const TEXT = new Set(['text', 'title', 'desc'])

/** The texts of a drawing, and the drawing with nothing that runs or loads anything. @throws Unreadable */
export function readSvg(source: string): { texts: string[]; svg: string } {
  const parser = new SaxesParser()
  const texts: string[] = []
  const parts: string[] = []
  let refused = 0
  let inText = 0
  let text = ''
  parser.on('opentag', ({ name, attributes }) => {
    if (refused > 0 || REFUSED.has(plain(name))) return void refused++
    parts.push(`<${name}${Object.entries(attributes).filter(isHarmless).map(attribute).join('')}>`)
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

/** References only within the drawing, and pictures that stand in it. */
function isHarmless([name, value]: [string, string]): boolean {
  if (/^on/i.test(plain(name))) return false
  if (plain(name) === 'href' || plain(name) === 'src')
    return /^(#|data:image\/(png|jpeg|gif|webp);)/i.test(value.trim())
  return !/url\(\s*['"]?\s*[^#'"\s]/i.test(value) && !/javascript:/i.test(value)
}

const plain = (name: string) => name.replace(/^.*:/, '').toLowerCase()
const attribute = ([name, value]: [string, string]) => ` ${name}="${escapeXml(value)}"`
const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
