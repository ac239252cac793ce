import { listItemOf, paragraphOf, tableOf, titleOf } from '../elements/elements.ts'
import type { Cell, Element } from '../elements/port.ts'
import { plainText, type Run, tidyRuns } from '../elements/runs.ts'
import { decodeBytes } from '../text/decode-bytes.ts'
import { readTokens, type Token } from './tokens.ts'

/** The state of a group of braces, which is restored when it ends. */
type State = {
  bold: boolean
  italic: boolean
  struck: boolean
  isHidden: boolean
  /** The target of text: into the document, the marker of a list item, the title, a header or footer, or nowhere. */
  into: 'body' | 'marker' | 'title' | 'Header' | 'Footer' | 'nowhere'
  /** Bytes after a character for readers without Unicode. */
  skip: number
}

const signs: Record<string, string> = {
  ...{
    tab: '\t',
    line: '\n',
    '~': '\u00a0',
    _: '\u2011',
    emdash: '—',
    endash: '–',
    bullet: '•',
    lquote: '‘',
    rquote: '’',
  },
  ...{ ldblquote: '“', rdblquote: '”', emspace: ' ', enspace: ' ', '\\': '\\', '{': '{', '}': '}' },
}
const nowhere = new Set([
  ...[
    'fonttbl',
    'colortbl',
    'stylesheet',
    'info',
    'pict',
    'object',
    'themedata',
    'colorschememapping',
    'datastore',
    'xmlnstbl',
  ],
  ...[
    'listtable',
    'listoverridetable',
    'rsidtbl',
    'generator',
    'latentstyles',
    'fldinst',
    'filetbl',
    'revtbl',
    'pnseclvl',
  ],
])
const encodings: Record<number, string> = {
  437: 'ibm437',
  737: 'ibm737',
  850: 'ibm850',
  852: 'ibm852',
  857: 'ibm857',
  866: 'ibm866',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
}

/** The elements of a document in RTF, and its title. */
export function readRtf(source: string): { elements: Element[]; title: string } {
  const reader = new Reader()
  for (const token of readTokens(source)) reader.take(token)
  return reader.end()
}

class Reader {
  private readonly elements: Element[] = []
  private readonly margins = { Header: '', Footer: '' }
  private title = ''
  private state: State = { bold: false, italic: false, struck: false, isHidden: false, into: 'body', skip: 1 }
  private readonly states: State[] = []
  private runs: Run[] = []
  private marker = ''
  private depth = 0
  private level: number | null = null
  private encoding = 'windows-1252'
  private bytes: number[] = []
  private toSkip = 0
  private isOptional = false
  /** Rows of the table that is open, and what the cell that is open holds of earlier paragraphs. */
  private rows: string[][] = []
  private row: string[] = []
  private cell: string[] = []
  private isInTable = false

  take(token: Token): void {
    if (token.kind === 'byte') {
      if (this.toSkip > 0) this.toSkip -= 1
      else this.bytes.push(token.value)
      return
    }
    this.flushBytes()
    if (token.kind === 'open') this.states.push({ ...this.state })
    else if (token.kind === 'close') this.state = this.states.pop() ?? this.state
    else if (token.kind === 'text') this.text(token.value)
    else this.word(token.name, token.value)
    if (token.kind !== 'word' || token.name !== '*') this.isOptional = false
  }

  end(): { elements: Element[]; title: string } {
    this.flushBytes()
    this.paragraph()
    this.closeTable()
    const margin = (type: 'Header' | 'Footer'): Element[] => {
      const text = this.margins[type].trim()
      return text ? [{ type, text }] : []
    }
    return {
      elements: [...margin('Header'), ...this.elements, ...margin('Footer')],
      title: this.title.trim(),
    }
  }

  private text(value: string): void {
    const skipped = Math.min(this.toSkip, value.length)
    this.toSkip -= skipped
    this.say(value.slice(skipped))
  }

  private say(text: string): void {
    const { into, isHidden, bold, italic, struck } = this.state
    if (text === '' || isHidden || into === 'nowhere') return
    if (into === 'marker') this.marker += text
    else if (into === 'title') this.title += text
    else if (into === 'Header' || into === 'Footer') this.margins[into] += text
    else this.runs.push({ text, ...(bold && { bold }), ...(italic && { italic }), ...(struck && { struck }) })
  }

  private word(name: string, value: number | null): void {
    const { state } = this
    const isOn = value !== 0
    if (name === '*') this.isOptional = true
    else if (name === 'title' && state.into === 'nowhere') state.into = 'title'
    else if (name === 'listtext' || name === 'pntext') state.into = 'marker'
    else if (/^header[lrf]?$/.test(name)) state.into = 'Header'
    else if (/^footer[lrf]?$/.test(name)) state.into = 'Footer'
    else if (nowhere.has(name) || (this.isOptional && !/^(shptxt|shpinst|cs)$/.test(name)))
      state.into = 'nowhere'
    else if (name === 'b') state.bold = isOn
    else if (name === 'i') state.italic = isOn
    else if (name === 'strike') state.struck = isOn
    else if (name === 'v') state.isHidden = isOn
    else if (name === 'plain')
      Object.assign(state, { bold: false, italic: false, struck: false, isHidden: false })
    else if (name === 'uc') state.skip = value ?? 1
    else if (name === 'u' && value !== null) this.unicode(value)
    else if (name === 'ansicpg' && value !== null) this.encoding = encodings[value] ?? `windows-${value}`
    else if (signs[name] !== undefined) this.say(signs[name])
    else if (state.into === 'body') this.layout(name, value)
    else if (name === 'par') this.say('\n')
  }

  private layout(name: string, value: number | null): void {
    if (name === 'pard') Object.assign(this, { depth: 0, level: null, isInTable: false })
    else if (name === 'par' || name === 'sect' || name === 'page') this.paragraph()
    else if (name === 'outlinelevel') this.level = value !== null && value < 9 ? value + 2 : null
    else if (name === 'ilvl') this.depth = Math.min(8, value ?? 0)
    else if (name === 'intbl') this.isInTable = true
    else if (name === 'cell') {
      this.row.push([...this.cell, plainText(tidyRuns(this.runs))].filter(Boolean).join('\n'))
      this.cell = []
      this.runs = []
      this.marker = ''
    } else if (name === 'row') {
      this.rows.push(this.row)
      this.row = []
      this.isInTable = false
    }
  }

  private unicode(value: number): void {
    this.say(String.fromCharCode(value < 0 ? value + 65_536 : value))
    this.toSkip = this.state.skip
  }

  private flushBytes(): void {
    if (this.bytes.length === 0) return
    const bytes = Uint8Array.from(this.bytes)
    this.bytes = []
    this.say(decode(bytes, this.encoding))
  }

  private paragraph(): void {
    const { runs, marker, level, depth } = this
    this.runs = []
    this.marker = ''
    if (this.isInTable) {
      const text = plainText(tidyRuns(runs))
      if (text) this.cell.push(marker.trim() ? `${marker.trim()} ${text}` : text)
      return
    }
    if (!plainText(runs).trim()) return
    this.closeTable()
    const number = /^\d{1,9}/.exec(marker.trim())?.[0]
    const item = () => listItemOf(runs, depth, number ? `${number}.` : '-')
    const element = level !== null ? titleOf(runs, level) : marker ? item() : paragraphOf(runs)
    if (element) this.elements.push(element)
  }

  private closeTable(): void {
    const cells: Cell[] = this.rows.flatMap((row, at) =>
      row.map((text, column) => ({ row: at, column, text })),
    )
    this.rows = []
    const table = cells.length > 0 ? tableOf(cells) : null
    if (table) this.elements.push(table)
  }
}

function decode(bytes: Uint8Array, encoding: string): string {
  try {
    return decodeBytes(bytes, encoding)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
