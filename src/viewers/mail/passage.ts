const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Whether a paragraph stands in a passage, whatever the spaces between its words are. */
export function isWithin(paragraph: string, passage: string): boolean {
  const words = plain(paragraph)
  return words.length > 1 && plain(passage).includes(words)
}
