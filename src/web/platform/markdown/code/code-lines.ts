import { type CodeLine, type HighlightAnswer, type HighlightChannel, openHighlighter } from './highlight.ts'
import type { LanguageName } from './languages.ts'

/** Maximum lines of a highlighted block. */
export const mostLines = 2000

/** Cache of highlighted blocks, so that a block that scrolls back is highlighted immediately. */
const finished = new Map<string, readonly CodeLine[]>()
const mostFinished = 200

/**
 * The lines of a growing code block: plain as they arrive, highlighted as soon as the worker has read them. Unchanged lines
 * keep their identity, and complete lines are sent once.
 */
export class CodeLines {
  private readonly language: LanguageName | null
  private readonly listeners = new Set<() => void>()
  private source = ''
  private complete: CodeLine[] = []
  private completeUntil = 0
  private sent = 0
  private sentRest = ''
  private rest: { text: string; line: CodeLine } | null = null
  private asked: { from: number; count: number; rest: string }[] = []
  private channel: HighlightChannel | null = null
  private changes = 0

  constructor(language: LanguageName | null) {
    this.language = language
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Increments whenever lines are highlighted. */
  readonly version = (): number => this.changes

  read(text: string): readonly CodeLine[] {
    if (this.complete.length === 0) {
      const known = finished.get(this.key(text))
      if (known) return known
    }
    if (!text.startsWith(this.source.slice(0, this.completeUntil))) this.forget()
    this.source = text
    const end = text.lastIndexOf('\n') + 1
    if (end > this.completeUntil) {
      for (const line of text.slice(this.completeUntil, end - 1).split('\n')) this.complete.push(plain(line))
      this.completeUntil = end
    }
    return [...this.complete, this.readRest(text.slice(end))]
  }

  /** Sends new lines. `isFinal`: the text is complete, and the result is cached. */
  sync(text: string, isFinal: boolean): void {
    if (!this.language || this.complete.length > mostLines || finished.has(this.key(text))) return
    const rest = text.slice(this.completeUntil)
    const lines = this.complete.slice(this.sent).map(textOf)
    if (lines.length === 0 && rest === this.sentRest && !isFinal) return
    this.channel ??= openHighlighter((answer) => this.take(answer))
    this.asked.push({ from: this.sent, count: lines.length, rest })
    this.channel?.ask({ language: this.language, reset: this.sent === 0, lines, rest })
    this.sent += lines.length
    this.sentRest = rest
    this.isFinal = isFinal
  }

  private isFinal = false

  close(): void {
    this.channel?.close()
    this.channel = null
    this.sent = 0
    this.asked = []
  }

  private take({ lines, rest }: HighlightAnswer): void {
    const request = this.asked.shift()
    if (!request || request.from + request.count > this.complete.length) return
    this.complete.splice(request.from, lines.length, ...lines)
    this.rest = { text: request.rest, line: rest }
    if (this.isFinal && this.asked.length === 0) keep(this.key(this.source), this.read(this.source))
    this.changes += 1
    for (const listener of this.listeners) listener()
  }

  private readRest(text: string): CodeLine {
    if (!this.rest || this.rest.text === '' || !text.startsWith(this.rest.text)) return plain(text)
    const more = text.slice(this.rest.text.length)
    return more === '' ? this.rest.line : [...this.rest.line, { kind: null, text: more }]
  }

  private forget(): void {
    this.close()
    this.complete = []
    this.completeUntil = 0
    this.rest = null
  }

  private key(text: string): string {
    return `${this.language}\n${text}`
  }
}

function plain(text: string): CodeLine {
  return [{ kind: null, text }]
}

function textOf(line: CodeLine): string {
  return line.map(({ text }) => text).join('')
}

function keep(key: string, lines: readonly CodeLine[]): void {
  if (finished.size >= mostFinished) finished.delete(finished.keys().next().value!)
  finished.set(key, lines)
}
