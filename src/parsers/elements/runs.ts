/** Text of one style. */
export type Run = {
  text: string
  bold?: boolean
  italic?: boolean
  struck?: boolean
  /** Monospaced. */
  code?: boolean
  /** Address of its link. */
  link?: string
  /** `text` is TeX. */
  isFormula?: boolean
}

/** Returns the text without styles; its white space is unchanged. */
export function plainText(runs: Run[]): string {
  return runs.map(({ text }) => text).join('')
}

/** Returns runs as Markdown. Emphasis marks directly enclose the text, because they have no effect next to a space. */
export function inlineMarkdown(runs: Run[]): string {
  const parts: string[] = []
  for (const group of groupsBy(joined(runs), ({ link }) => link ?? '')) {
    const inner = group.map(markRun).join('')
    const link = group[0]?.link
    parts.push(link && inner.trim() ? around(inner, '[', `](${target(link)})`) : inner)
  }
  return parts.join('')
}

/** Trims the runs and collapses white space to single spaces; line breaks (`\n`) are preserved. */
export function tidyRuns(runs: Run[]): Run[] {
  const before: Run[] = []
  const tidy = runs.map((run) => {
    const text = run.text.replace(/[ \t\r\f\v\u00a0]+/g, ' ').replace(/ ?\n ?/g, '\n')
    const kept = /\s$/.test(before.at(-1)?.text ?? '\n') ? text.replace(/^ /, '') : text
    const last = before.at(-1)
    if (last && kept.startsWith('\n')) last.text = last.text.replace(/ $/, '')
    const tidied = { ...run, text: kept }
    if (kept) before.push(tidied)
    return tidied
  })
  for (let at = tidy.length - 1; at >= 0; at -= 1) {
    const run = tidy[at]
    if (!run) break
    run.text = run.text.trimEnd()
    if (run.text) break
  }
  const filled = tidy.filter(({ text }) => text !== '')
  if (filled[0]) filled[0].text = filled[0].text.trimStart()
  return filled
}

/** Escapes a text so that Markdown renders it unchanged. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*[\]]|<(?=[a-z/!?])/gi, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/^([ \t]*)([#>]|[-+](?=\s|$)|\d{1,9}[.)](?=\s|$))/gm, (_, space: string, mark: string) =>
      /^\d/.test(mark) ? `${space}${mark.slice(0, -1)}\\${mark.slice(-1)}` : `${space}\\${mark}`,
    )
}

function markRun({ text, bold, italic, struck, code, isFormula }: Run): string {
  if (isFormula) return `$${text}$`
  if (!text.trim()) return text.replaceAll('\n', '  \n')
  if (code) return around(text, '`', '`')
  const marks = `${struck ? '~~' : ''}${bold ? '**' : ''}${italic ? '*' : ''}`
  const body = escapeMarkdown(text).replaceAll('\n', '  \n')
  return marks ? around(body, marks, [...marks].reverse().join('')) : body
}

/** Merges neighbouring runs of the same style. */
function joined(runs: Run[]): Run[] {
  const looks = ({ text: _, ...look }: Run) => JSON.stringify(look)
  return groupsBy(runs, looks).flatMap((group) => {
    const [first] = group
    if (!first) return []
    return first.isFormula ? group : [{ ...first, text: plainText(group) }]
  })
}

function groupsBy<T>(all: T[], keyOf: (one: T) => string): T[][] {
  const groups: T[][] = []
  let last: string | null = null
  for (const one of all) {
    const key = keyOf(one)
    if (key === last) groups.at(-1)?.push(one)
    else groups.push([one])
    last = key
  }
  return groups
}

function around(text: string, before: string, after: string): string {
  const start = text.length - text.trimStart().length
  const end = Math.max(start, text.trimEnd().length)
  return `${text.slice(0, start)}${before}${text.slice(start, end)}${after}${text.slice(end)}`
}

const target = (link: string) =>
  /[\s()<>]/.test(link) ? `<${link.replace(/[<>\s]/g, encodeURIComponent)}>` : link
