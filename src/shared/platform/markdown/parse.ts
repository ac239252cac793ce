import type { Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { boundedSyntax } from './bounded-syntax.ts'
import { citationFromMarkdown, citationSyntax } from './citation-syntax.ts'
import { emphasisSyntax } from './emphasis-syntax.ts'
import { mathFromMarkdown, mathSyntax } from './math-syntax.ts'

const extensions = [gfm(), emphasisSyntax(), mathSyntax(), boundedSyntax(), citationSyntax()]
const mdastExtensions = [gfmFromMarkdown(), mathFromMarkdown(), citationFromMarkdown()]

/**
 * Parses CommonMark with GFM and math to an mdast tree; offsets refer to `source`. Text nested too deep for
 * the parser is returned as one raw text node.
 */
export function parseSource(source: string): Root {
  try {
    return fromMarkdown(source, { extensions, mdastExtensions })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { type: 'root', children: [{ type: 'html', value: source, position: wholeOf(source) }] }
  }
}

function wholeOf(source: string) {
  const start = { line: 1, column: 1, offset: 0 }
  return { start, end: { line: 1, column: source.length + 1, offset: source.length } }
}
