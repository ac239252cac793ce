/** A passage as a model is told it: behind the number it is cited by. */
export type ToldPassage = { number: number; text: string }
/** Passages that follow one another; `place` says where they stand, for a reader. */
export type ToldPart = { place: string; passages: readonly ToldPassage[] }
export type ToldDocument = { name: string; parts: readonly ToldPart[] }

/** What a model is to write when the documents do not contain what was asked. */
export const NOT_IN_DOCUMENTS = 'NOT_IN_DOCUMENTS'

/** Passages as text for a model, behind what the person asked. `readEvidence` is its inverse. */
export function writeEvidence(documents: readonly ToldDocument[]): string {
  const told = documents.map(
    ({ name, parts }) =>
      `<document name="${attribute(name)}">\n${parts.map(writePart).join('\n')}\n</document>`,
  )
  return `<documents>\n${told.join('\n')}\n</documents>`
}

function writePart({ place, passages }: ToldPart): string {
  const texts = passages.map(({ number, text }) => `[${number}] ${defuse(text)}`)
  return `<part${place && ` place="${attribute(place)}"`}>\n${texts.join('\n')}\n</part>`
}

const attribute = (text: string) => text.replace(/["<>\s]+/g, ' ').trim()

/** Notes that were taken of passages, each line with its own numbers in it, as text for a model; the first also stands before it. */
export function writeNotes(lines: readonly ToldPassage[]): string {
  const told = lines.map(({ number, text }) => `[${number}] ${defuseTags(text).replace(/\s+/g, ' ')}`)
  return `<documents>\n<document name="Notes">\n<part>\n${told.join('\n')}\n</part>\n</document>\n</documents>`
}

/** Text of a document can neither close what it stands in nor carry numbers that would be taken for those of passages. */
const defuse = (text: string) => defuseTags(text.replace(/[[【](\^?\d{1,3}[\d ,;–-]{0,40})[\]】]/g, '($1)'))

const defuseTags = (text: string) =>
  text.replace(/<(?=\/?(?:documents?|part|citation|websource|results?|step)\b)/gi, '‹')

/** The passages in a text and what stands around them; for the built-in model, which must find its way by rules. */
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
