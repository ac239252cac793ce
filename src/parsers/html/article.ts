import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'

/** The article of a page as HTML, and the page's metadata. */
export type Article = { html: string; facts: Record<string, string> }

/** A page with more elements is not an article, and a hostile one would take too long. */
const MAX_ARTICLE_ELEMENTS = 50_000

/** The article of a page without its surroundings; null if there is none. */
export function readArticle(text: string): Article | null {
  const { document } = parseHTML(text)
  try {
    const article = new Readability(document as never, { maxElemsToParse: MAX_ARTICLE_ELEMENTS }).parse()
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
