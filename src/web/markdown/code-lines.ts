import type { CodeLine } from './highlight.ts'
import type { GrammarState, HighlightEngine } from './highlight-engine.ts'

/** Blocks with more lines are shown plain, and only what is on screen of them. */
export const mostLines = 2000

/** The lines of a code block that grows: lines that were complete before are not read again. */
export type CodeLines = {
  read(text: string, engine: HighlightEngine | null, language: string | null): readonly CodeLine[]
}

/** Lines keep their identity while they do not change. */
export function createCodeLines(): CodeLines {
  let source = ''
  let usedEngine: HighlightEngine | null = null
  let complete: CodeLine[] = []
  let completeUntil = 0
  let state: GrammarState | null = null
  let last: readonly CodeLine[] = []

  function forget(engine: HighlightEngine | null) {
    usedEngine = engine
    complete = []
    completeUntil = 0
    state = null
    source = ''
  }

  return {
    read(text, engine, language) {
      if (text === source && engine === usedEngine && last.length > 0) return last
      if (engine !== usedEngine || !text.startsWith(source.slice(0, completeUntil))) forget(engine)
      source = text
      const end = text.lastIndexOf('\n') + 1
      if (end > completeUntil) {
        const fresh = text.slice(completeUntil, end - 1)
        const read = tokens(fresh, engine, language, state)
        complete = complete.concat(read.lines)
        state = read.state
        completeUntil = end
      }
      const rest = text.slice(completeUntil)
      last = [...complete, tokens(rest, engine, language, state).lines[0] ?? []]
      return last
    },
  }
}

function tokens(
  text: string,
  engine: HighlightEngine | null,
  language: string | null,
  state: GrammarState | null,
) {
  if (engine && language) return engine.tokenize(text, language, state)
  return { lines: text.split('\n').map((line): CodeLine => [{ kind: null, text: line }]), state: null }
}
