/** Earlier versions of a message, as far as this page has seen them. */
export type EarlierTexts = {
  /** Its text while it is being regenerated; null after that. */
  cachedContent?: string | null
  /** Its text before the last edit or regeneration. */
  previousContent?: string
  /** Earlier replies in its place, oldest first. */
  responseHistory?: readonly string[]
}

/** Returns an emptied reply for regeneration, with its previous text. */
export function emptied({ content, responseHistory = [] }: { content: string } & EarlierTexts) {
  return {
    ...{ content: '', blocks: [], cachedContent: content, previousContent: content },
    responseHistory: [...responseHistory, content],
  }
}
