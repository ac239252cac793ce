import { ExternalHyperlink, FootnoteReferenceRun, ImageRun, type ParagraphChild, TextRun } from 'docx'
import type { Direction } from '#shared/platform/markdown/direction.ts'
import type { Inline } from '#shared/platform/markdown/tree.ts'
import type { ChatDocument, Picture } from '../../chat/chat-document.ts'
import { safeLink } from '../links.ts'
import { mathFormulas } from '../math/math-word.ts'
import { type Style, textRuns } from './text-runs.ts'

/** Text width of a page in pixels. */
const TEXT_WIDTH = 600

/** `told` has the numbers of the notes that were referred to; `base` is the direction of the paragraph. */
export type InlinePlace = { document: ChatDocument; told: Set<number>; base: Direction | null }

/** Returns inline content as the children of a paragraph. */
export function runsOf(nodes: Inline[], place: InlinePlace, style: Style = {}): ParagraphChild[] {
  return nodes.flatMap((node): ParagraphChild[] => {
    switch (node.type) {
      case 'text':
        return textRuns(node.text.replaceAll('\n', ' '), place.base, style)
      case 'code':
        return [new TextRun({ text: node.text, ...style, style: 'CodeWords' })]
      case 'math':
        return (
          mathFormulas(node.tex, node.display) ?? [
            new TextRun({ text: node.tex, ...style, style: 'CodeWords' }),
          ]
        )
      case 'strong':
        return runsOf(node.children, place, { ...style, bold: true })
      case 'emphasis':
        return runsOf(node.children, place, { ...style, italics: true })
      case 'delete':
        return runsOf(node.children, place, { ...style, strike: true })
      case 'sub':
        return runsOf(node.children, place, { ...style, subScript: true })
      case 'sup':
        return runsOf(node.children, place, { ...style, superScript: true })
      case 'link': {
        const link = safeLink(node.url)
        const children = runsOf(node.children, place, { ...style, ...(link && { style: 'Hyperlink' }) })
        return link ? [new ExternalHyperlink({ link, children })] : children
      }
      case 'image':
        return [pictureOf(place.document, node.url, node.alt)]
      case 'break':
        return [new TextRun({ break: 1 })]
      case 'footnote-reference':
        return [new TextRun({ text: `(${node.number})`, superScript: true })]
      case 'citation': {
        // Each note appears once; later references point to it.
        const isFirst = !place.told.has(node.number)
        place.told.add(node.number)
        return [
          isFirst
            ? new FootnoteReferenceRun(node.number)
            : new TextRun({ text: String(node.number), superScript: true }),
        ]
      }
      case 'kbd':
      case 'mark':
      case 'custom':
        return runsOf(node.children, place, style)
      default:
        return node satisfies never
    }
  })
}

/** Returns a picture, or its description when it is missing. */
export function pictureOf({ images, words }: ChatDocument, address: string, alt: string): ParagraphChild {
  const picture = images[address]
  if (!picture)
    return new TextRun({ text: words.image.replace('{{alt}}', alt || address.slice(0, 200)), italics: true })
  return new ImageRun({
    ...{ type: picture.type, data: picture.bytes, transformation: sizeOf(picture) },
    altText: { name: alt || 'image', description: alt, title: alt },
  })
}

function sizeOf({ width, height }: Picture): { width: number; height: number } {
  const scale = Math.min(1, TEXT_WIDTH / width, 800 / height)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}
