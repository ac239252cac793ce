import katex from 'katex'
// Adds \ce and \pu.
import 'katex/contrib/mhchem'
import 'katex/dist/katex.min.css'

const cache = new Map<string, DocumentFragment>()
const mostCached = 300

/**
 * Renders a formula into `host` as elements, never as HTML text; returns false for an invalid source. Macros may not name
 * files or addresses, and expansion is limited.
 */
export function renderMath(tex: string, display: boolean, host: HTMLElement): boolean {
  const key = `${display ? 'd' : 'i'}${tex}`
  let drawn = cache.get(key)
  if (!drawn) {
    const made = draw(tex, display)
    if (!made) return false
    if (cache.size >= mostCached) cache.delete(cache.keys().next().value!)
    cache.set(key, made)
    drawn = made
  }
  host.replaceChildren(drawn.cloneNode(true))
  return true
}

function draw(tex: string, display: boolean): DocumentFragment | null {
  const box = document.createElement('span')
  try {
    katex.render(tex, box, {
      displayMode: display,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: 500,
      maxSize: 50,
    })
  } catch {
    return null
  }
  const fragment = document.createDocumentFragment()
  fragment.append(...box.childNodes)
  return fragment
}
