/** The page that a person looks at, or their selection on it. */
export type PageToRead = { title: string; url: string; text: string; isSelection: boolean }

/** Maximum characters of a page sent with a question. */
export const MAX_PAGE = 40_000
const MAX_TITLE = 300

/** Marks the start of the page within a message, so that the question can be extracted again. */
const MARK = '\n\n<page-at-hand '

/** Combines a question with its page. Text of the page cannot close the mark around it. */
export function askAbout(question: string, { title, url, text, isSelection }: PageToRead): string {
  const head = JSON.stringify({ title: title.slice(0, MAX_TITLE), url: url.slice(0, 2_000), isSelection })
  const body = text.slice(0, MAX_PAGE).toWellFormed().replaceAll('<', '‹')
  return `${question.trim()}${MARK}${head.replaceAll('<', '‹')}>\n${body}\n</page-at-hand>`
}

/** Returns the question and its page; a message without a page is its own question. */
export function readQuestion(content: string): {
  question: string
  page: Pick<PageToRead, 'title' | 'isSelection'> | null
} {
  const at = content.indexOf(MARK)
  if (at < 0) return { question: content, page: null }
  const from = at + MARK.length
  const end = content.indexOf('>\n', from)
  const question = content.slice(0, at)
  try {
    const { title, isSelection } = JSON.parse(content.slice(from, end)) as Record<string, unknown>
    return { question, page: { title: String(title), isSelection: isSelection === true } }
  } catch {
    return { question, page: null }
  }
}
