import type { ElementContent } from 'hast'
import { h, textNode, type Where } from './html-nodes.ts'
import { attributeOf, findAllLocal, findLocal, lineOf, localName } from './local.ts'
import { elementsOf, type XmlNode } from './read-xml.ts'
import { personOf } from './references.ts'

const fronts =
  /^(article-meta|front-stub|info|bookinfo|articleinfo|chapterinfo|sectioninfo|refentryinfo|teiheader)$/

/** Whether an element describes the text rather than being part of it. */
export const isFront = (name: string) => fronts.test(name)

/** The front matter of a text for a reader: its title, authors and their affiliations, keywords and abstract. */
export function frontOf(
  node: XmlNode,
  { level }: Where,
  translate: (node: XmlNode) => ElementContent[],
): ElementContent[] {
  const { title, subtitle, authors, places, keywords } = read(node)
  const paragraphs = [subtitle, authors.join(', '), places.join('; '), keywords.join(', ')]
  return [
    ...(title ? [h(`h${Math.min(6, level)}`, [textNode(title)])] : []),
    ...paragraphs.filter(Boolean).map((text) => h('p', [textNode(text)])),
    ...findAllLocal(node, 'abstract', 'trans-abstract').flatMap(translate),
  ]
}

/** The metadata of a file. */
export function factsOf(root: XmlNode): Record<string, string> {
  const front = elementsOf(root).find((child) => isFront(localName(child))) ?? findFront(root)
  const title = front
    ? read(front).title
    : lineOf(elementsOf(root).find((child) => localName(child) === 'title'))
  const doi = findAllLocal(front ?? { ...root, children: [] }, 'article-id').find(
    (one) => attributeOf(one, 'pub-id-type') === 'doi',
  )
  const facts = {
    title,
    author: front ? read(front).authors.join(', ').slice(0, 500) : '',
    source_url: doi ? `https://doi.org/${lineOf(doi)}` : '',
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== ''))
}

function findFront(root: XmlNode): XmlNode | undefined {
  return findLocal(root, 'article-meta', 'info', 'bookinfo', 'articleinfo', 'teiheader')
}

function read(node: XmlNode) {
  const titles = findLocal(node, 'title-group', 'titlestmt') ?? node
  const direct = (name: string) => elementsOf(titles).find((child) => localName(child) === name)
  const people = findAllLocal(titles === node ? node : withStatement(node, titles), 'contrib', 'author')
  return {
    title: lineOf(direct('article-title') ?? direct('title')),
    subtitle: lineOf(direct('subtitle')),
    authors: [...new Set(people.filter(isAuthor).map(nameOf))].filter(Boolean),
    places: [...new Set(findAllLocal(node, 'aff').map(listed))].filter(Boolean),
    keywords: [...new Set(findAllLocal(node, 'kwd', 'keyword').map(lineOf))].filter(Boolean),
  }
}

const withStatement = (node: XmlNode, titles: XmlNode) => (localName(titles) === 'titlestmt' ? titles : node)

const isAuthor = (node: XmlNode) => /^(author)?$/.test(attributeOf(node, 'contrib-type'))
const nameOf = (node: XmlNode) =>
  personOf(findLocal(node, 'name', 'string-name', 'collab', 'personname', 'persname', 'orgname') ?? node)

/** An address as it is written, else its parts separated by commas. */
function listed(node: XmlNode): string {
  const parts = node.children.flatMap((part) => {
    if (typeof part === 'string') return [part]
    return /^(label|institution-id|xref|email|sup)$/.test(localName(part)) ? [] : [listed(part)]
  })
  const isWritten = node.children.some((part) => typeof part === 'string' && /\w/.test(part))
  const text = isWritten
    ? parts.join('')
    : parts
        .map((part) => part.trim())
        .filter((part) => /\w/.test(part))
        .join(', ')
  return text.replace(/\s+/g, ' ').trim()
}
