/** Precedes the summary of earlier messages in the instructions. */
export const SUMMARY_MARK = '\n\nThe conversation so far, summarised:\n'
/** Precedes the working memory. */
export const KNOWN_MARK = '\n\nWhat the conversation has come to so far:\n'
