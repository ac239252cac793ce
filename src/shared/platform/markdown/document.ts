import type { Code, List, RootContent, Table } from 'mdast'
import { convertBlocks, convertText, hasDefinitions, isOpenFence, startConversion } from './convert.ts'
import { type Fence, openFence, readFence } from './fence.ts'
import { findHardLines } from './hard-lines.ts'
import type { Mark } from './marks.ts'
import { parseSource } from './parse.ts'
import { repairTail } from './repair.ts'
import { share } from './share.ts'
import type { Block, ListBlock, TableBlock } from './tree.ts'

/** A growing Markdown text and its blocks. */
export type MarkdownDocument = {
  /**
   * Returns the blocks of `text`. When the text only grew since the last call, final blocks are not parsed again and
   * keep their identity. `done` marks a finished text: the result then equals a parse of the whole text,
   * with links and footnotes resolved. Only then are `marks` drawn.
   */
  update(text: string, done: boolean, marks?: readonly Mark[]): Block[]
}

type Options = {
  /** Names of HTML-like tags that become `custom` nodes. */
  tags?: readonly string[]
  /** Number of rows at the end of a list or table that are parsed again. */
  splitAfter?: number
}

/** Settled rows of the last list or table; `prefix` is put before the remaining text for parsing. */
type Carry = { block: ListBlock | TableBlock; prefix: string }

type State = {
  text: string
  done: boolean
  marks: readonly Mark[]
  /** Offset of the end of the settled text, whose blocks are in `frozen`, `carry` and `fence`. */
  stable: number
  frozen: Block[]
  carry: Carry | null
  fence: Fence | null
  /** True when the text defines links or footnotes; it is then parsed as a whole at the end. */
  defines: boolean
  blocks: Block[]
}

/** Creates an empty document. */
export function createDocument({ tags = [], splitAfter = 24 }: Options = {}): MarkdownDocument {
  let state = emptyState()
  return {
    update(raw, done, marks = noMarks) {
      const text = normalise(raw, done)
      if (text === state.text && done === state.done && marks === state.marks) return state.blocks
      const previous = state.blocks
      if (state.done || !text.startsWith(state.text)) state = emptyState()
      state.text = text
      state.done = done
      state.marks = marks
      const tail = advance(state, tags, splitAfter)
      const isWhole = done && (state.defines || marks.length > 0) && !findHardLines(text)
      const blocks = isWhole
        ? convertText(text, parseSource(text).children, tags, marks)
        : [...state.frozen, ...tail]
      state.blocks = share(previous, blocks)
      return state.blocks
    },
  }
}

/** Returns the blocks of a finished text. */
export function parseMarkdown(
  text: string,
  { marks, ...options }: Options & { marks?: readonly Mark[] } = {},
): Block[] {
  return createDocument(options).update(text, true, marks)
}

const noMarks: readonly Mark[] = []

function emptyState(): State {
  return {
    text: '',
    done: false,
    marks: noMarks,
    stable: 0,
    frozen: [],
    carry: null,
    fence: null,
    defines: false,
    blocks: [],
  }
}

/** Normalises line ends to `\n` and removes characters the parser ignores. A trailing `\r` waits for more text. */
function normalise(raw: string, done: boolean): string {
  let text = raw
  if (text.includes('\r')) {
    if (!done && text.endsWith('\r')) text = text.slice(0, -1)
    text = text.replace(/\r\n?/g, '\n')
  }
  if (text.includes('\0')) text = text.replaceAll('\0', '\uFFFD')
  return text.includes('\uFEFF') ? text.replaceAll('\uFEFF', '') : text
}

/** Settles final blocks and returns the blocks of the remaining text. */
function advance(state: State, tags: readonly string[], splitAfter: number): Block[] {
  for (;;) {
    if (state.fence) {
      const read = readFence(state.fence, state.text, state.done)
      if (!read.closed) return [read.block]
      state.frozen.push(read.block)
      state.stable = state.fence.scanned
      state.fence = null
      continue
    }
    const rest = state.text.slice(state.stable)
    if (rest === '' && !state.carry) return []
    const hard = findHardLines(rest)
    if (hard) {
      const base = state.stable
      if (settleBefore(state, rest, hard.start, tags)) continue
      const lines = rest.slice(hard.start, hard.end)
      if (hard.end === rest.length && !state.done) return [{ type: 'plain', text: lines }]
      state.frozen.push({ type: 'plain', text: lines })
      state.stable = base + Math.min(hard.end + 1, rest.length)
      continue
    }
    const source = (state.carry?.prefix ?? '') + (state.done ? rest : repairTail(rest))
    const nodes = parseSource(source).children
    if (!state.done && mayFreeze(nodes, splitAfter) && freeze(state, rest, tags, splitAfter)) continue
    return convertTail(state, source, nodes, tags)
  }
}

function convertTail(state: State, source: string, nodes: RootContent[], tags: readonly string[]): Block[] {
  const conversion = startConversion(source, nodes, tags)
  if (hasDefinitions(conversion)) state.defines = true
  return mergeCarry(state.carry, convertBlocks(nodes, conversion))
}

/** Settles text before hard lines. Returns true when it ends in an open fence, which contains those lines. */
function settleBefore(state: State, rest: string, start: number, tags: readonly string[]): boolean {
  const source = (state.carry?.prefix ?? '') + rest.slice(0, start)
  const nodes = parseSource(source).children
  const last = nodes[nodes.length - 1]
  if (last && fenceOf(last, source)) {
    freezeAndOpen(state, source, nodes, tags)
    return true
  }
  state.frozen.push(...convertTail(state, source, nodes, tags))
  state.carry = null
  state.stable += start
  return false
}

/** Returns true when parsing only the complete lines can settle blocks. */
function mayFreeze(nodes: RootContent[], splitAfter: number): boolean {
  const [first] = nodes
  if (nodes.length > 1 || first?.type === 'code') return true
  return (first?.type === 'list' || first?.type === 'table') && first.children.length > splitAfter
}

/** Freezes all but the last block of the complete lines; returns true when the remaining text became shorter. */
function freeze(state: State, rest: string, tags: readonly string[], splitAfter: number): boolean {
  const complete = rest.slice(0, rest.lastIndexOf('\n') + 1)
  if (complete === '') return false
  const prefix = state.carry?.prefix ?? ''
  const source = prefix + complete
  const nodes = parseSource(source).children
  const last = nodes[nodes.length - 1]
  if (!last) return false
  const count = countFinal(nodes, source)
  if (count === nodes.length - 1 && fenceOf(last, source)) {
    freezeAndOpen(state, source, nodes, tags)
    return true
  }
  if (count > 0) {
    freezeUntil(state, source, nodes, count, tags)
    return true
  }
  return nodes.length === 1 && splitLast(state, last, source, tags, splitAfter)
}

/**
 * Counts final blocks: all but the last when a blank line follows. Without a blank line only leaves are final, because
 * a definition may continue and containers or indented code affect how the next line is parsed.
 */
function countFinal(nodes: RootContent[], source: string): number {
  let count = nodes.length - 1
  while (count > 0 && !isBoundary(nodes, count, source)) count -= 1
  return Math.max(count, 0)
}

/**
 * Returns false where the previous block affects how the next line is parsed: a marker within a container after a
 * paragraph, any marker after indented code, and indented code after a container.
 */
function isBoundary(nodes: RootContent[], at: number, source: string): boolean {
  const previous = nodes[at - 1]!
  const next = nodes[at]!
  const isApart = isBlankBetween(nodes, at, source)
  const line = lineOf(next, source)
  if (isIndented(previous, source)) return isApart && !startsWithMarker(line)
  if (isIndented(next, source)) return isLeaf(previous, source)
  if (previous.type === 'paragraph' && !isApart && startsWithMarker(line))
    return next.type === 'list' && !startsWithMarker(line.replace(/^ *\S+[ \t]+/, ''))
  return isApart || isLeaf(previous, source)
}

function lineOf(node: RootContent, source: string): string {
  return source.slice(lineStart(node)).split('\n', 1)[0]!
}

function startsWithMarker(line: string): boolean {
  return /^\s*([-+*>[]|\d+[.)])/.test(line)
}

function isLeaf(node: RootContent, source: string): boolean {
  if (node.type === 'code') return !isIndented(node, source)
  return node.type === 'paragraph' || node.type === 'heading' || node.type === 'thematicBreak'
}

function isIndented(node: RootContent, source: string): boolean {
  return node.type === 'code' && !/[`~]/.test(source[node.position!.start.offset!] ?? '')
}

function isBlankBetween(nodes: RootContent[], at: number, source: string): boolean {
  const between = source.slice(nodes[at - 1]!.position!.end.offset, nodes[at]!.position!.start.offset)
  return between.split('\n').length > 2
}

function freezeUntil(
  state: State,
  source: string,
  nodes: RootContent[],
  count: number,
  tags: readonly string[],
): void {
  state.frozen.push(...convertTail(state, source, nodes.slice(0, count), tags))
  state.stable += lineStart(nodes[count]!) - (state.carry?.prefix.length ?? 0)
  state.carry = null
}

/** Freezes all but the last block, an open fence, and reads that one line by line from here on. */
function freezeAndOpen(state: State, source: string, nodes: RootContent[], tags: readonly string[]): void {
  const last = nodes[nodes.length - 1] as Code
  const offset = state.stable + lineStart(last) - (state.carry?.prefix.length ?? 0)
  if (nodes.length > 1) freezeUntil(state, source, nodes, nodes.length - 1, tags)
  const opening = source.slice(last.position!.start.offset).split('\n', 1)[0]!
  state.fence = openFence(last, opening, offset)
  state.stable = state.fence.scanned
}

/** Returns true for an open fenced block at the very start of a line; its lines need no parser. */
function fenceOf(node: RootContent, source: string): boolean {
  if (node.type !== 'code' || node.position!.start.column !== 1) return false
  const slice = source.slice(node.position!.start.offset, node.position!.end.offset)
  return slice.includes('\n') || source.length > node.position!.end.offset! ? isOpenFence(slice, true) : false
}

/** Settles the first rows of a long list or table, so that only its end is parsed again. */
function splitLast(
  state: State,
  node: RootContent,
  source: string,
  tags: readonly string[],
  splitAfter: number,
): boolean {
  if ((node.type !== 'list' && node.type !== 'table') || node.children.length <= splitAfter + 1) return false
  const kept = node.children[node.children.length - 1]!
  if (node.type === 'list' && !isCleanBoundary(node, source)) return false
  const head = { ...node, children: node.children.slice(0, -1) } as List | Table
  const whole = convertTail(state, source, [node], tags)[0] as ListBlock | TableBlock
  const [block] = mergeCarry(state.carry, convertBlocks([head], startConversion(source, [head], tags)))
  const prefix = node.type === 'table' ? `${source.slice(lineStart(node)).split('\n', 2).join('\n')}\n` : ''
  state.stable += lineStart(kept) - (state.carry?.prefix.length ?? 0)
  if (block!.type === 'list' && whole.type === 'list') block!.loose = whole.loose
  state.carry = { block: block as ListBlock | TableBlock, prefix }
  return true
}

/** Returns true when no block of the previous item can still be open at the last item. */
function isCleanBoundary(list: List, source: string): boolean {
  const before = list.children[list.children.length - 2]!
  const end = before.children[before.children.length - 1]
  const start = list.children[list.children.length - 1]!.position!.start
  const previousLine =
    source
      .slice(0, start.offset! - (start.column - 1))
      .split('\n')
      .at(-2) ?? ''
  return end?.type === 'paragraph' || (previousLine.trim() !== '' && end?.type === 'list')
}

function mergeCarry(carry: Carry | null, blocks: Block[]): Block[] {
  const [first, ...rest] = blocks
  if (!carry) return blocks
  if (carry.block.type === 'table' && first?.type === 'table')
    return [{ ...carry.block, rows: [...carry.block.rows, ...first.rows] }, ...rest]
  if (carry.block.type === 'list' && first?.type === 'list') {
    const loose = carry.block.loose || first.loose
    return [{ ...carry.block, loose, items: [...carry.block.items, ...first.items] }, ...rest]
  }
  return [carry.block, ...blocks]
}

function lineStart(node: Pick<RootContent, 'position'>): number {
  return node.position!.start.offset! - (node.position!.start.column - 1)
}
