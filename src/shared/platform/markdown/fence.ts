import type { Code } from 'mdast'
import type { CodeBlock } from './tree.ts'

/** An unfinished fenced block. Its lines are collected without the parser. */
export type Fence = {
  lang: string | null
  meta: string | null
  /** Fence character; `count` of them close the block. */
  mark: '`' | '~'
  count: number
  text: string | null
  /** Offset in the text after the last complete line that was read. */
  scanned: number
}

/** Opens a fence after its opening line, which begins at `offset` of the text. */
export function openFence(node: Code, opening: string, offset: number): Fence {
  const marks = /^(`+|~+)/.exec(opening)![1]!
  return {
    lang: node.lang ?? null,
    meta: node.meta ?? null,
    mark: marks[0] === '`' ? '`' : '~',
    count: marks.length,
    text: null,
    scanned: offset + opening.length + 1,
  }
}

/** Reads more of `text`. When the block ends, sets `closed`, and `fence.scanned` points to the text after it. */
export function readFence(fence: Fence, text: string, done: boolean): { block: CodeBlock; closed: boolean } {
  for (let end = text.indexOf('\n', fence.scanned); end >= 0; end = text.indexOf('\n', fence.scanned)) {
    const line = text.slice(fence.scanned, end)
    fence.scanned = end + 1
    if (countMarks(fence, line) >= fence.count)
      return { block: blockOf(fence, fence.text ?? '', false), closed: true }
    fence.text = fence.text === null ? line : `${fence.text}\n${line}`
  }
  const last = text.slice(fence.scanned)
  if (done && countMarks(fence, last) >= fence.count) {
    fence.scanned = text.length
    return { block: blockOf(fence, fence.text ?? '', false), closed: true }
  }
  // Held back, because the last line may become the closing fence.
  if (last === '' || (!done && countMarks(fence, last) > 0))
    return { block: blockOf(fence, fence.text ?? '', true), closed: false }
  const whole = fence.text === null ? last : `${fence.text}\n${last}`
  return { block: blockOf(fence, whole, true), closed: false }
}

/** Returns the number of fence characters in a line; 0 when it contains anything else. */
function countMarks({ mark }: Fence, line: string): number {
  const closing = mark === '`' ? /^ {0,3}(`+)[ \t]*$/ : /^ {0,3}(~+)[ \t]*$/
  return closing.exec(line)?.[1]?.length ?? 0
}

function blockOf({ lang, meta }: Fence, text: string, open: boolean): CodeBlock {
  return { type: 'code', lang, meta, text, open }
}
