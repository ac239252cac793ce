/** A call as a text has it. The input is JSON, or a plain text that is the only argument. */
export type FoundCall = { name: string; input: string }

/** Calls per answer. */
const MAX_CALLS = 128
const MAX_DEPTH = 50
const NAMED: Record<string, unknown> = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
}

/**
 * Reads calls written as Python: `[add(a=6, b="x")]`, one call per line, or within `print(…)` (Llama 4, Gemma, LFM). Returns an empty
 * list when the text holds anything else.
 */
export function readPython(text: string): FoundCall[] {
  const found: FoundCall[] = []
  const reader = createReader(text)
  while (!reader.isAtEnd() && found.length < MAX_CALLS) {
    reader.skip('[')
    const call = readCall(reader)
    if (!call) return []
    found.push(call)
    reader.skip(',')
    reader.skip(']')
  }
  return found
}

type Reader = ReturnType<typeof createReader>

function createReader(text: string) {
  let at = 0
  const blanks = () => {
    while (/\s/.test(text[at] ?? '')) at += 1
  }
  const word = (letter: RegExp) => {
    blanks()
    const start = at
    while (letter.test(text[at] ?? '')) at += 1
    return text.slice(start, at)
  }
  return {
    isAtEnd: () => {
      blanks()
      return at >= text.length
    },
    /** Passes a character, after blanks. Returns whether it was there. */
    skip: (sign: string): boolean => {
      blanks()
      const isThere = text[at] === sign
      if (isThere) at += 1
      return isThere
    },
    word: () => word(/[\w.+-]/),
    /** Returns a quoted text, or null at another character. */
    quoted: (): string | null => {
      blanks()
      const quote = text[at]
      if (quote !== '"' && quote !== "'") return null
      let said = ''
      for (at += 1; at < text.length && text[at] !== quote; at += 1) {
        if (text[at] === '\\') at += 1
        const isEscaped = text[at - 1] === '\\'
        said += isEscaped ? (ESCAPES[text[at] ?? ''] ?? text[at] ?? '') : text[at]
      }
      at += 1
      return said
    },
  }
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r' }

function readCall(reader: Reader): FoundCall | null {
  const name = reader.word()
  if (name === '' || !reader.skip('(')) return null
  if (name === 'print') {
    const inner = readCall(reader)
    return reader.skip(')') ? inner : null
  }
  if (reader.skip('{')) {
    const entries = readEntries(reader, 0)
    return entries && reader.skip(')') ? { name, input: JSON.stringify(entries) } : null
  }
  // A text without a name is the only argument of its tool.
  const alone = reader.quoted()
  if (alone !== null) return reader.skip(')') ? { name, input: alone } : null
  const values: Record<string, unknown> = {}
  while (!reader.skip(')')) {
    const key = reader.word()
    if (key === '' || !reader.skip('=')) return null
    const value = readValue(reader, 0)
    if (value === undefined) return null
    values[key] = value
    reader.skip(',')
  }
  return { name, input: JSON.stringify(values) }
}

/** Returns a literal; undefined when it is none. */
function readValue(reader: Reader, depth: number): unknown {
  const text = reader.quoted()
  if (text !== null) return text
  if (depth > MAX_DEPTH) return undefined
  if (reader.skip('[')) return readItems(reader, depth)
  if (reader.skip('{')) return readEntries(reader, depth)
  const word = reader.word()
  if (Object.hasOwn(NAMED, word)) return NAMED[word]
  return word !== '' && Number.isFinite(Number(word)) ? Number(word) : undefined
}

function readItems(reader: Reader, depth: number): unknown[] | undefined {
  const items: unknown[] = []
  while (!reader.skip(']')) {
    const item = readValue(reader, depth + 1)
    if (item === undefined) return undefined
    items.push(item)
    reader.skip(',')
  }
  return items
}

function readEntries(reader: Reader, depth: number): object | undefined {
  const entries: [string, unknown][] = []
  while (!reader.skip('}')) {
    const key = reader.quoted()
    if (key === null || !reader.skip(':')) return undefined
    const value = readValue(reader, depth + 1)
    if (value === undefined) return undefined
    entries.push([key, value])
    reader.skip(',')
  }
  return Object.fromEntries(entries)
}
