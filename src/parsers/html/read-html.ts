import type { Element } from '../elements/port.ts'
import { findElements, parseHtml, type Root, textBelow } from './hast.ts'
import { walkBlocks } from './walk-blocks.ts'

/** A page or a fragment: its elements and the metadata of its head. */
export function readHtml(text: string): { elements: Element[]; facts: Record<string, string> } {
  const root = parseHtml(text)
  return { elements: walkBlocks(contentOf(root)), facts: factsOf(root) }
}

/** The part a page marks as its content, if it contains most of the headings' text; else the whole page. */
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
