import { withoutCutCitations } from '../../platform/citations/citation-tags.ts'
import { cleanLabel } from '../../platform/labels.ts'
import type { Block } from '../../runs/runs/blocks.ts'

const readMax = 600
const shownMax = 160

const marks: [RegExp, string][] = [
  [/```[^\n]*\n?/g, ' '],
  [/!?\[([^\][]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1'],
  [/^[^\S\r\n\u2028\u2029]*(?:#{1,6}|>|[-*+]|\d+\.)\s+/gm, ''],
  [/^[ \t:-]*\|[ \t:|-]*$/gm, ''],
  [/(\*\*|__|~~|`+)(?=\S)|(?<=\S)(\*\*|__|~~|`+)/g, ''],
  [/\|/g, ' '],
]

/** Returns the beginning of a message as one line of plain text: at most 160 characters, without Markdown. */
export function previewOf(content: string): string {
  const line = plainOf(content.slice(0, readMax))
  const shown = line.length <= shownMax ? line : [...line].slice(0, shownMax).join('')
  return cleanLabel(shown)
}

/**
 * Returns the preview of a reply: its answer, which follows the steps. Without an answer, the text of the
 * newest step.
 */
export function previewOfReply({ content, blocks }: { content: string; blocks: readonly Block[] }): string {
  const lastStep = blocks.findLast(({ type }) => type === 'step')
  if (lastStep?.type !== 'step') return previewOf(content)
  const texts = blocks.filter((block) => block.type === 'text')
  const answer = texts.filter(({ step }) => step === undefined)
  const said = answer.length > 0 ? answer : texts.filter(({ step }) => step === lastStep.number)
  return previewOf(said.map(({ text }) => text.trim()).join('\n\n'))
}

/** Returns a text as one line without Markdown. */
export function plainOf(content: string): string {
  const said = withoutCutCitations(content)
  const plain = marks.reduce((text, [mark, instead]) => text.replace(mark, instead), said)
  return plain.replace(/\s+/g, ' ').trim()
}
