import { readFileSync } from 'node:fs'
import { parseSync } from 'vite'

export type Rule = { pattern: RegExp; instead: string }
/** A text of a file that a person reads: a comment, a test name or a line of a document. `line` counts from 1. */
export type Prose = { line: number; text: string }
export type Found = Prose & { word: string; instead: string }

/** Parses a list of rules. Lines that start with `#` are comments. */
export function readRules(file: string): Rule[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => {
      const [pattern = '', instead = ''] = line.split('\t')
      // An anchor is about the first word of a sentence, which has a capital.
      return { pattern: new RegExp(pattern, pattern.startsWith('^') ? '' : 'i'), instead }
    })
}

/** Returns the texts that break a rule, each with the first rule it breaks. */
export function findWords(prose: readonly Prose[], rules: readonly Rule[]): Found[] {
  return prose.flatMap((one) => {
    for (const { pattern, instead } of rules) {
      const word = pattern.exec(one.text.replace(/`[^`]*`|\]\([^)]*\)/g, ''))?.[0]
      if (word !== undefined) return [{ ...one, word, instead }]
    }
    return []
  })
}

/** Returns the comments and test names of a source file. @throws Error when it cannot be parsed */
export function proseOfCode(file: string, code: string): Prose[] {
  const { comments, errors } = parseSync(file, code)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  const lineOf = (at: number) => code.slice(0, at).split('\n').length
  const written = comments.flatMap(({ value, start }) =>
    sentencesOf(
      value
        .replace(/^\s*\*+ ?/gm, '')
        .replace(/\s+/g, ' ')
        .trim(),
    ).map((text) => ({
      line: lineOf(start),
      text,
    })),
  )
  const titles = /\.test\.tsx?$/.test(file) ? titlesOf(code, lineOf) : []
  return [...written, ...titles]
}

/** Returns the sentences of a Markdown document, without code. */
export function proseOfDocument(markdown: string): Prose[] {
  let isCode = false
  return markdown.split('\n').flatMap((line, index) => {
    if (line.startsWith('```')) isCode = !isCode
    // Headings may be clauses.
    if (isCode || /^(?:```|#)/.test(line)) return []
    const text = line.replace(/^[\s|*>-]+/, '')
    return sentencesOf(text).map((one) => ({ line: index + 1, text: one }))
  })
}

function titlesOf(code: string, lineOf: (at: number) => number): Prose[] {
  const named = code.matchAll(
    /\b(?:it|test|describe)(?:\.\w+)*(?:\([^()]{0,200}\))?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs,
  )
  return Array.from(named, ({ index, 2: text = '' }) => ({ line: lineOf(index), text }))
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?]) (?=\p{Lu})/u).filter(Boolean)
}
