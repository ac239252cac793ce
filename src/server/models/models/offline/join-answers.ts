/** One text speaks for itself; several are listed in their order. */
export function joinAnswers(given: string[]): string {
  const texts = given.map((text) => text.trim()).filter(Boolean)
  if (texts.length < 2) return texts.join()
  if (texts.every((text) => !text.includes('\n'))) return texts.map((text) => `- ${text}`).join('\n')
  return texts.join('\n\n')
}
