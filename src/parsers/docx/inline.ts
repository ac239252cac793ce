import type { Run } from '../elements/runs.ts'
import { texOf } from '../ooxml/math.ts'
import type { Relation } from '../ooxml/package.ts'
import { childOf, elementsOf, findAll, textOf, type XmlNode } from '../xml/read-xml.ts'
import { isHidden, type Look, lookOf, type Style, setting } from './styles.ts'

/** The content of a paragraph: its text and the objects anchored in it. */
export type Inline = {
  runs: Run[]
  /** Contents of text boxes, each a list of paragraphs and tables. */
  boxes: XmlNode[]
  /** Descriptions of pictures; empty for a picture without one. */
  pictures: string[]
  /** Ids of the relations to charts and diagrams. */
  graphics: string[]
  /** Page breaks of Word's last layout, before and after the first character of the paragraph. */
  breaks: { before: number; behind: number }
  notes: { kind: 'footnote' | 'endnote'; id: string }[]
  /** Text that is set not to be shown. */
  hidden: string
}

type Around = {
  styleOf(id: string | undefined): Style
  relations: Map<string, Relation>
  noteNumber(kind: 'footnote' | 'endnote', id: string): number
}

/** Containers that are transparent to the reader. Deleted and moved text (`w:del`, `w:moveFrom`) is not among them. */
const through = new Set([
  'w:ins',
  'w:moveTo',
  'w:smartTag',
  'w:customXml',
  'w:sdtContent',
  'w:fldSimple',
  'w:dir',
  'w:bdo',
])

export function readInline(paragraph: XmlNode, around: Around): Inline {
  const inline: Inline = {
    runs: [],
    boxes: [],
    pictures: [],
    graphics: [],
    breaks: { before: 0, behind: 0 },
    notes: [],
    hidden: '',
  }
  const { runs, breaks } = inline
  /** Depth of complex fields whose instruction is being read. */
  let instructions = 0

  const broke = () => {
    if (runs.some(({ text }) => text.trim() !== '')) breaks.behind += 1
    else breaks.before += 1
  }

  const walk = (node: XmlNode, link: string | undefined): void => {
    if (node.name === 'w:r') run(node, link)
    else if (node.name === 'w:hyperlink')
      for (const child of elementsOf(node)) walk(child, linkOf(node) ?? link)
    else if (node.name === 'w:sdt')
      for (const child of elementsOf(childOf(node, 'w:sdtContent'))) walk(child, link)
    else if (node.name === 'm:oMath') runs.push({ text: texOf(node), isFormula: true })
    else if (node.name === 'm:oMathPara') for (const child of elementsOf(node)) walk(child, link)
    else if (node.name === 'w:ruby') ruby(node, link)
    else if (through.has(node.name)) for (const child of elementsOf(node)) walk(child, link)
  }

  /** A word followed by its pronunciation in brackets; the file has the pronunciation first. */
  const ruby = (node: XmlNode, link: string | undefined): void => {
    for (const child of elementsOf(childOf(node, 'w:rubyBase'))) walk(child, link)
    const reading = findAll(childOf(node, 'w:rt'), 'w:t').map(textOf).join('').trim()
    if (reading) runs.push({ text: `（${reading}）` })
  }

  const linkOf = (node: XmlNode): string | undefined => {
    const found = around.relations.get(node.attributes['r:id'] ?? '')
    return found?.isExternal && /^(https?|mailto|ftp):/i.test(found.target) ? found.target : undefined
  }

  const run = (node: XmlNode, link: string | undefined): void => {
    const properties = childOf(node, 'w:rPr')
    if (isHidden(properties)) {
      if (instructions === 0) inline.hidden += findAll(node, 'w:t').map(textOf).join('')
      return
    }
    const style = around.styleOf(setting(childOf(properties, 'w:rStyle')))
    const look: Look = { ...style.look, ...lookOf(properties), ...(link && { link }) }
    for (const child of elementsOf(node)) piece(child, look)
  }

  const piece = (node: XmlNode, look: Look): void => {
    const say = (text: string) => void (instructions === 0 && runs.push({ ...look, text }))
    switch (node.name) {
      case 'w:t':
        say(textOf(node))
        break
      case 'w:tab':
        say('\t')
        break
      case 'w:br':
        if (node.attributes['w:type'] !== 'page') say('\n')
        break
      case 'w:cr':
        say('\n')
        break
      case 'w:lastRenderedPageBreak':
        broke()
        break
      case 'w:ruby':
        ruby(node, look.link)
        break
      case 'w:noBreakHyphen':
        say('\u2011')
        break
      case 'w:sym':
        say(symbolOf(node))
        break
      case 'w:fldChar': {
        const kind = node.attributes['w:fldCharType']
        if (kind === 'begin') {
          say(formValueOf(node))
          instructions += 1
        }
        if (kind === 'separate' || (kind === 'end' && instructions > 0))
          instructions = Math.max(0, instructions - 1)
        break
      }
      case 'w:footnoteReference':
      case 'w:endnoteReference': {
        const kind = node.name === 'w:footnoteReference' ? 'footnote' : 'endnote'
        const id = node.attributes['w:id'] ?? ''
        inline.notes.push({ kind, id })
        say(`[${around.noteNumber(kind, id)}]`)
        break
      }
      case 'mc:AlternateContent': {
        const chosen = childOf(node, 'mc:Choice') ?? childOf(node, 'mc:Fallback')
        floating(chosen)
        break
      }
      case 'w:drawing':
      case 'w:pict':
      case 'w:object':
        floating(node)
        break
    }
  }

  const floating = (node: XmlNode | undefined): void => {
    inline.boxes.push(...findAll(node, 'w:txbxContent'))
    const ids = [
      ...findAll(node, 'c:chart').map(({ attributes }) => attributes['r:id']),
      ...findAll(node, 'dgm:relIds').map(({ attributes }) => attributes['r:dm']),
    ]
    inline.graphics.push(...ids.filter((id) => id !== undefined))
    const isPicture = findAll(node, 'a:blip').length > 0 || findAll(node, 'v:imagedata').length > 0
    const about = findAll(node, 'wp:docPr')[0]?.attributes ?? {}
    if (isPicture) inline.pictures.push((about.descr ?? '').replace(/\s+/g, ' ').trim())
  }

  for (const child of elementsOf(paragraph)) walk(child, undefined)
  return inline
}

/** Returns the value of a legacy form field: the state of a checkbox, or the selected entry. Typed text is in the field itself. */
function formValueOf(node: XmlNode): string {
  const data = childOf(node, 'w:ffData')
  const [box, list] = [childOf(data, 'w:checkBox'), childOf(data, 'w:ddList')]
  if (box) {
    const state = childOf(box, 'w:checked') ?? childOf(box, 'w:default')
    return state && !/^(0|false|off)$/.test(setting(state) ?? '1') ? '☒' : '☐'
  }
  const chosen = Number(setting(childOf(list, 'w:result')) ?? setting(childOf(list, 'w:default')) ?? 0)
  return setting(findAll(list, 'w:listEntry')[chosen]) ?? ''
}

/** Characters of symbol fonts (Wingdings) that are check boxes or bullets. */
function symbolOf(node: XmlNode): string {
  const code = Number.parseInt(node.attributes['w:char'] ?? '', 16) & 0xff
  const known: Record<number, string> = {
    168: '☐',
    111: '☐',
    254: '☒',
    253: '☒',
    82: '☑',
    252: '✓',
    224: '→',
    183: '•',
  }
  return known[code] ?? ''
}
