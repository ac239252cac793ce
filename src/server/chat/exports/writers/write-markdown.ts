import type { ChatDocument, Entry, Note, Part, Picture } from '../chat/chat-document.ts'
import { NOTE_LABEL } from '../chat/notes.ts'

/** Writes a chat as one Markdown file with notes at the end and embedded pictures. */
export function* writeMarkdown(document: ChatDocument): Generator<string> {
  const pictures = Object.keys(document.images)
  yield `# ${document.title}\n\n${document.byline}\n`
  for (const { title, entries } of document.chapters) {
    if (title !== null) yield `\n# ${title}\n`
    for (const entry of entries) yield writeEntry(entry, pictures)
  }
  if (document.notes.length > 0) yield `\n${document.notes.map(writeNote).join('\n')}\n`
  for (const [at, picture] of Object.values(document.images).entries())
    yield `\n[image-${at + 1}]: ${dataOf(picture)}\n`
}

function writeEntry({ author, time, parts }: Entry, pictures: string[]): string {
  const body = parts.map((part) => writePart(part, pictures)).filter((text) => text !== '')
  return `\n## ${author}, ${time}\n\n${body.join('\n\n')}\n`
}

function writePart(part: Part, pictures: string[]): string {
  switch (part.kind) {
    case 'text':
      return withPictures(part.source, pictures)
    case 'steps':
      return part.lines.map((line) => `> ${line}`).join('  \n')
    case 'picture': {
      const at = pictures.indexOf(part.address)
      return at < 0 ? '' : `![${bare(part.alt)}][image-${at + 1}]`
    }
    case 'notice':
      return `*${part.text}*`
    default:
      return part satisfies never
  }
}

/** Replaces server addresses of pictures, which do not work in a file, with references to embedded data. */
function withPictures(source: string, pictures: string[]): string {
  return pictures.reduce(
    (text, address, at) => text.replaceAll(`](${address})`, `][image-${at + 1}]`),
    source,
  )
}

function writeNote({ number, title, place, url, quote }: Note): string {
  const name = url === '' ? bare(title) : `[${bare(title)}](<${url}>)`
  const where = place === '' ? name : `${name}, ${place}`
  return `[^${NOTE_LABEL}${number}]: ${quote === null ? where : `${where}: “${bare(quote)}”`}`
}

const bare = (words: string) => words.replace(/[\\[\]*_`<>]/g, '\\$&')

const dataOf = ({ type, bytes }: Picture) =>
  `data:image/${type === 'jpg' ? 'jpeg' : 'png'};base64,${Buffer.from(bytes).toString('base64')}`
