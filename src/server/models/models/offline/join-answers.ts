/** Joins answers: a single one as it is, short ones as a list, longer ones as paragraphs. */
export function joinAnswers(given: string[]): string {
  const texts = given.map((text) => text.trim()).filter(Boolean)
  if (texts.length < 2) return texts.join()
  if (texts.every((text) => !text.includes('\n'))) return texts.map((text) => `- ${text}`).join('\n')
  return texts.join('\n\n')
}
