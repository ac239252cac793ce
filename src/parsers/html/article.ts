import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'

/** What a page is about, as HTML, and what it says of itself. */
export type Article = { html: string; facts: Record<string, string> }

/** More elements are no article; a hostile page would take too long. */
const ELEMENTS_MOST = 50_000

/** The part of a page that is read, without what stands around it; null where there is none. */
export function readArticle(text: string): Article | null {
  const { document } = parseHTML(text)
  try {
    const article = new Readability(document as never, { maxElemsToParse: ELEMENTS_MOST }).parse()
    if (!article?.content) return null
    const { title, byline: author, publishedTime: published } = article
    const facts = Object.entries({ title, author, published })
    return {
      html: article.content,
      facts: Object.fromEntries(
        facts.flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
      ),
    }
  } catch {
    return null
  }
}
