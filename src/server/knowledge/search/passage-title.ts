/** A document and the titles a passage of it stands below, as they are searched and shown. */
export const passageTitle = (document: string, headings: readonly string[]): string =>
  [document, ...headings].join(' · ')
