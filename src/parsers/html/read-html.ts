import type { Element } from '../elements/port.ts'
import { findElements, parseHtml, type Root, textBelow } from './hast.ts'
import { walkBlocks } from './walk-blocks.ts'

/** A page or a piece of one: its elements, and what its head says of it. */
export function readHtml(text: string): { elements: Element[]; facts: Record<string, string> } {
  const root = parseHtml(text)
  return { elements: walkBlocks(contentOf(root)), facts: factsOf(root) }
}

/** The part a page says is its content, when it holds most of the headings' text; else all of it. */
function contentOf(root: Root): Root {
  const main = findElements(
    root,
    ({ tagName, properties }) => tagName === 'main' || properties.role === 'main',
  )
  return main.length === 1 && textBelow(main[0]!).trim().length > 200
    ? { type: 'root', children: main }
    : root
}

function factsOf(root: Root): Record<string, string> {
  const title = findElements(root, ({ tagName }) => tagName === 'title')[0]
  const canonical = findElements(
    root,
    ({ tagName, properties }) => tagName === 'link' && String(properties.rel) === 'canonical',
  )[0]
  const author = findElements(
    root,
    ({ tagName, properties }) => tagName === 'meta' && properties.name === 'author',
  )[0]
  const facts = {
    title: title && textBelow(title).replace(/\s+/g, ' ').trim(),
    author: author && String(author.properties.content ?? ''),
    source_url: canonical && String(canonical.properties.href ?? ''),
  }
  return Object.fromEntries(Object.entries(facts).filter((entry): entry is [string, string] => !!entry[1]))
}
