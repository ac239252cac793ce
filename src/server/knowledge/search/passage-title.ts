/** Returns a document's name with the headings of a passage, as searched and shown. */
export const passageTitle = (document: string, headings: readonly string[]): string =>
  [document, ...headings].join(' · ')
