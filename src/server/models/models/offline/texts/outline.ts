const most = 30
const longest = 120

/** Returns the headings of a text as a list, otherwise the beginning of each paragraph. */
export function outline(text: string): string[] {
  const headings = text.split('\n').filter((line) => /^#{1,6} \S/.test(line))
  if (headings.length > 1) {
    const levels = headings.map((line) => line.indexOf(' '))
    const top = Math.min(...levels)
    return headings
      .slice(0, most)
      .map((line, at) => `${'  '.repeat((levels[at] ?? top) - top)}- ${line.slice(levels[at]).trim()}`)
  }
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => paragraph.trim())
  const parts = paragraphs.length > 1 ? paragraphs : text.split('\n')
  return parts
    .filter((part) => part.trim() !== '')
    .slice(0, most)
    .map((part, at) => `${at + 1}. ${beginning(part.trim())}`)
}

function beginning(paragraph: string): string {
  const end = paragraph.search(/[.!?…](?=\s)|\n/)
  const sentence = end > 0 ? paragraph.slice(0, end) : paragraph.replace(/[.!?…]$/, '')
  return sentence.length > longest ? `${sentence.slice(0, longest - 1).trimEnd()}…` : sentence
}
