const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Returns true when a passage contains a paragraph, ignoring differences in spacing. */
export function isWithin(paragraph: string, passage: string): boolean {
  const words = plain(paragraph)
  return words.length > 1 && plain(passage).includes(words)
}
