import type { Inline } from '#shared/platform/markdown/tree.ts'
import { safeLink } from '../links.ts'
import { mathLines } from '../math/math-text.ts'
import type { Face } from './fonts.ts'
import type { Piece, Style } from './lines.ts'

export const INK = '#1c1b22'
export const QUIET = '#6b6a75'
export const LINK = '#2b59c3'

export type InlineWords = {
  /** Returns whether a picture is available; it is drawn below its paragraph. */
  hasPicture: (address: string) => boolean
  image: string
}

/** Converts inline content to pieces of lines. */
export function piecesOf(nodes: Inline[], style: Style, words: InlineWords): Piece[] {
  return nodes.flatMap((node): Piece[] => {
    switch (node.type) {
      case 'text':
        return [{ text: node.text.replace(/[\n\t]/g, ' '), style }]
      case 'code':
        return [{ text: node.text, style: { ...style, face: 'mono', size: style.size * 0.92, ground: true } }]
      case 'math':
        return [{ text: mathLines(node.tex, node.display).join('; '), style }]
      case 'strong':
        return piecesOf(node.children, { ...style, face: bolder(style.face) }, words)
      case 'emphasis':
        return piecesOf(node.children, { ...style, face: slanted(style.face) }, words)
      case 'delete':
        return piecesOf(node.children, { ...style, strike: true }, words)
      case 'sup':
        return piecesOf(node.children, { ...style, size: style.size * 0.7, rise: style.size * 0.36 }, words)
      case 'sub':
        return piecesOf(node.children, { ...style, size: style.size * 0.7, rise: -style.size * 0.14 }, words)
      case 'link': {
        const link = safeLink(node.url)
        return piecesOf(node.children, link ? { ...style, link, color: LINK } : style, words)
      }
      case 'image':
        if (words.hasPicture(node.url)) return []
        return [
          { text: words.image.replace('{{alt}}', node.alt), style: { ...style, face: slanted(style.face) } },
        ]
      case 'break':
        return ['break']
      case 'footnote-reference':
        return [
          { text: `(${node.number})`, style: { ...style, size: style.size * 0.7, rise: style.size * 0.36 } },
        ]
      case 'citation': {
        const number = {
          ...style,
          face: 'regular' as const,
          size: style.size * 0.68,
          rise: style.size * 0.36,
          color: LINK,
        }
        return [{ text: String(node.number), style: number, note: node.number }]
      }
      case 'kbd':
      case 'mark':
      case 'custom':
        return piecesOf(node.children, style, words)
      default:
        return node satisfies never
    }
  })
}

const bolder = (face: Face): Face =>
  face === 'italic' || face === 'boldItalic' ? 'boldItalic' : face === 'mono' ? face : 'bold'
const slanted = (face: Face): Face =>
  face === 'bold' || face === 'boldItalic' ? 'boldItalic' : face === 'mono' ? face : 'italic'
