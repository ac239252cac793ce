import type { Run } from '../elements/runs.ts'
import { childOf, childrenOf, findAll, textOf, type XmlNode } from '../xml/read-xml.ts'
import type { Look, Styles } from './styles.ts'

/** Frames are anchored in paragraphs; their content comes after the paragraph. */
export type Inline = { runs: Run[]; frames: XmlNode[]; notes: XmlNode[]; comments: XmlNode[] }

/** White space in OpenDocument is one space; elements represent more of it. */
export function readInline(paragraph: XmlNode, styles: Styles): Inline {
  const inline: Inline = { runs: [], frames: [], notes: [], comments: [] }
  const walk = (node: XmlNode, look: Look): void => {
    for (const child of node.children) {
      if (typeof child === 'string') inline.runs.push({ ...look, text: child.replace(/\s+/g, ' ') })
      else piece(child, look)
    }
  }
  const piece = (node: XmlNode, look: Look): void => {
    const add = (text: string) => inline.runs.push({ ...look, text })
    if (node.name === 'text:s') add(' '.repeat(Math.min(100, Number(node.attributes['text:c'] ?? 1))))
    else if (node.name === 'text:tab') add('\t')
    else if (node.name === 'text:line-break') add('\n')
    else if (node.name === 'text:note') {
      add(`[${textOf(childOf(node, 'text:note-citation'))}]`)
      inline.notes.push(node)
    } else if (node.name === 'office:annotation') inline.comments.push(node)
    else if (node.name === 'text:ruby-text') {
      const reading = textOf(node).trim()
      if (reading) add(`（${reading}）`)
    } else if (node.name === 'draw:frame' || node.name === 'draw:custom-shape' || node.name === 'draw:g')
      inline.frames.push(node)
    else if (node.name === 'text:a') walk(node, { ...look, ...linkOf(node) })
    else if (
      !/^(office:annotation|text:(bookmark|change|soft-page-break|toc-mark|tracked-changes)|draw:)/.test(
        node.name,
      )
    )
      walk(node, { ...look, ...styles.lookOf(node.attributes['text:style-name']) })
  }
  walk(paragraph, styles.lookOf(paragraph.attributes['text:style-name']))
  return inline
}

function linkOf(node: XmlNode): Look {
  const link = node.attributes['xlink:href'] ?? ''
  return /^(https?|mailto|ftp):/i.test(link) ? { link } : {}
}

/** The lines of a cell, a frame or a note, whatever its content. */
export function linesOf(node: XmlNode, styles: Styles): string {
  const paragraphs = [...findAll(node, 'text:p'), ...childrenOf(node, 'text:h')]
  return paragraphs
    .map((one) =>
      readInline(one, styles)
        .runs.map(({ text }) => text)
        .join('')
        .trim(),
    )
    .filter(Boolean)
    .join('\n')
}
