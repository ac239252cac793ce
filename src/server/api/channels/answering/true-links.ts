/**
 * Returns Markdown in which each link shows where it leads: behind its label stands the host, which is the link. Other brackets before a
 * parenthesis are parted, so that a service makes no link of them. For text that a model or a page wrote.
 */
export function withTrueLinks(markdown: string): string {
  let [text, last] = ['', 0]
  for (const found of markdown.matchAll(LINK)) {
    const [whole, label = '', url = ''] = found
    const host = URL.parse(url)?.host
    if (!host) continue
    text += parted(markdown.slice(last, found.index))
    text += label === url ? linkTo(url, url) : `${parted(label)} (${linkTo(host, url)})`
    last = found.index + whole.length
  }
  return text + parted(markdown.slice(last))
}

/** Returns the name of a page, and its host as the link. */
export const namedLink = (name: string, url: string): string =>
  `${name} (${linkTo(URL.parse(url)?.host ?? url, url)})`

const LINK = /!?\[((?:[^[\]]|\[[^[\]]{0,100}\]){1,500})\]\((https?:\/\/[^\s()|]{1,2000})\)/g

const linkTo = (label: string, url: string) => `[${label}](${url})`

/** Returns a text in which a service finds no labelled link. */
export const parted = (text: string) => text.replaceAll('](', '] (')
