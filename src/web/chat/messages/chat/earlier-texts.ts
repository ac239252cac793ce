/** What a message said before, as far as this page has seen it. */
export type EarlierTexts = {
  /** Its text while it is emptied and written again; null once that came to its end. */
  cachedContent?: string | null
  /** Its text before it was last edited or written again. */
  previousContent?: string
  /** The replies that stood in its place before, oldest first. */
  responseHistory?: readonly string[]
}

/** A reply that is written again: empty, with what it said until now. */
export function emptied({ content, responseHistory = [] }: { content: string } & EarlierTexts) {
  return {
    ...{ content: '', blocks: [], cachedContent: content, previousContent: content },
    responseHistory: [...responseHistory, content],
  }
}
