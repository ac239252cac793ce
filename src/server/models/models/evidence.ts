/** A passage as a model sees it, with the number that cites it. */
export type ToldPassage = { number: number; text: string }
/** Consecutive passages. `place` tells a reader where they are. */
export type ToldPart = { place: string; passages: readonly ToldPassage[] }
/** `about`: what the source of the document says of it, such as its owner. */
export type ToldDocument = {
  name: string
  about?: Readonly<Record<string, string>>
  parts: readonly ToldPart[]
}

/** Written by a model when the documents do not contain the answer. */
export const NOT_IN_DOCUMENTS = 'NOT_IN_DOCUMENTS'

/** Writes passages as text for a model, to follow the question. `readEvidence` is its inverse. */
export function writeEvidence(documents: readonly ToldDocument[]): string {
  const told = documents.map(
    ({ name, about = {}, parts }) =>
      `<document${writeAttributes({ name, ...about })}>\n${parts.map(writePart).join('\n')}\n</document>`,
  )
  return `<documents>\n${told.join('\n')}\n</documents>`
}

function writePart({ place, passages }: ToldPart): string {
  const texts = passages.map(({ number, text }) => `[${number}] ${defuse(text)}`)
  return `<part${place && ` place="${attribute(place)}"`}>\n${texts.join('\n')}\n</part>`
}

const writeAttributes = (given: Readonly<Record<string, string>>) =>
  Object.entries(given)
    .map(([name, value]) => ` ${name}="${attribute(value)}"`)
    .join('')

const attribute = (text: string) => text.replace(/["<>\s]+/g, ' ').trim()

/** Writes notes on passages as text for a model. Each line contains its citation numbers; the first one also precedes it. */
export function writeNotes(lines: readonly ToldPassage[]): string {
  const told = lines.map(({ number, text }) => `[${number}] ${defuseTags(text).replace(/\s+/g, ' ')}`)
  return `<documents>\n<document name="Notes">\n<part>\n${told.join('\n')}\n</part>\n</document>\n</documents>`
}

/** Keeps document text from closing its element and from containing numbers that look like citations. */
const defuse = (text: string) => defuseTags(text.replace(/[[【](\^?\d{1,3}[\d ,;–-]{0,40})[\]】]/g, '($1)'))

const defuseTags = (text: string) =>
  text.replace(/<(?=\/?(?:documents?|part|citation|websource|results?|step)\b)/gi, '‹')

/** Returns the passages in a text and the text around them, or null without passages. For the built-in model, which works by rules. */
export function readEvidence(text: string): { asked: string; passages: ToldPassage[] } | null {
  const from = text.lastIndexOf('<documents>\n')
  const to = text.lastIndexOf('\n</documents>')
  if (from < 0 || to < from) return null
  const passages: ToldPassage[] = []
  for (const line of text.slice(from, to).split('\n')) {
    const number = /^\[(\d{1,4})\] /.exec(line)
    const last = passages.at(-1)
    if (number) passages.push({ number: Number(number[1]), text: line.slice(number[0].length) })
    else if (last && !/^<\/?(?:documents?|part)\b/.test(line)) last.text += `\n${line}`
  }
  const asked = `${text.slice(0, from)}${text.slice(to + '\n</documents>'.length)}`
  return { asked: asked.trim(), passages }
}
