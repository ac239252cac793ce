import { delimiterOf } from '../csv/delimiter.ts'
import type { Format } from '../elements/port.ts'
import { readCues } from '../subtitles/read-cues.ts'

/** Kinds of text that only the name can tell apart when the content could be either. */
const loose = new Set<Format | null>(['md', 'txt', 'csv'])

/** The kind of a text. `isWhole` is false if it is only the beginning of a file. */
export function sniffText(text: string, promised: Format | null, isWhole: boolean): Format {
  const start = text.trimStart()
  const markup = sniffMarkup(start)
  // Markdown may begin with HTML, even with a comment; only a whole page is HTML.
  if (markup && !(promised === 'md' && markup !== 'svg' && !/^<(\?xml|!doctype)/i.test(start))) return markup
  if (isMail(start)) return 'eml'
  if (isJson(start, isWhole, promised)) return 'json'
  if (promised === 'html' && /<[a-z][a-z0-9]*(\s[^<>]*)?>/i.test(start)) return 'html'
  if (loose.has(promised)) return promised ?? 'txt'
  if (promised !== null || readCues(text)) return 'txt'
  if (isTable(text, isWhole)) return 'csv'
  return isMarkdown(text) ? 'md' : 'txt'
}

function sniffMarkup(start: string): Format | null {
  const rest = start.replace(/^(<\?xml[^>]*>|<!--[\s\S]*?-->|\s+)*/, '')
  if (/^<!doctype\s+html|^<(html|head|body)[\s>]/i.test(rest)) return 'html'
  if (/^(<!DOCTYPE\s+svg[^>]*>\s*)?<(\w+:)?svg[\s>]/i.test(rest)) return 'svg'
  const isXml = start.startsWith('<?xml') || /^<!DOCTYPE\s|^<[a-z][\w:.-]*\s[^<>]*xmlns/i.test(rest)
  return isXml || /^<(rss|feed|article|urlset)[\s>]/.test(rest) ? 'xml' : null
}

function isMail(start: string): boolean {
  const head = /^(?:[A-Za-z][A-Za-z0-9-]*:[^\n]*\n(?:[ \t][^\n]*\n)*){2,}/.exec(
    `${start.slice(0, 16_384)}\n`,
  )?.[0]
  if (!head) return false
  const names = [...head.matchAll(/^([A-Za-z][A-Za-z0-9-]*):/gm)].map(([, name]) => name?.toLowerCase())
  const known = ['from', 'to', 'subject', 'date', 'received', 'return-path', 'message-id', 'mime-version']
  const found = known.filter((name) => names.includes(name))
  // Notes may begin with From and To; a mail also has headers that only programs write.
  return (
    found.length >= 3 ||
    (found.length === 2 && /^(mime-version|message-id|received|content-type):/im.test(head))
  )
}

function isJson(start: string, isWhole: boolean, promised: Format | null): boolean {
  if (!/^[{[]/.test(start)) return false
  if (promised === 'json') return true
  if (!isWhole) return /^(\{\s*"[^"\n]*"\s*:|\[\s*[{["\d])/.test(start) && promised === null
  try {
    JSON.parse(start)
    return true
  } catch {
    return false
  }
}

function isTable(text: string, isWhole: boolean): boolean {
  const lines = text.split(/\r?\n/).slice(0, isWhole ? 50 : -1)
  return lines.length >= 3 && (delimiterOf(lines.slice(0, 50).join('\n'))?.isSteady ?? false)
}

function isMarkdown(text: string): boolean {
  const signs = [
    /^#{1,6} \S/m,
    /^```/m,
    /\[[^[\]\n]+\]\([^()\s]+\)/,
    /^[-*] \S/m,
    /\*\*[^*\n]+\*\*/,
    /^\|.*\|$/m,
  ]
  return signs.filter((sign) => sign.test(text)).length >= 2
}
