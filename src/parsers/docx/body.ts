import { codeOf, listItemOf, paragraphOf, tableOf, titleOf } from '../elements/elements.ts'
import type { Element } from '../elements/port.ts'
import { plainText, type Run, tidyRuns } from '../elements/runs.ts'
import type { Relation } from '../ooxml/package.ts'
import { childOf, elementsOf, type XmlNode } from '../xml/read-xml.ts'
import { type Inline, readInline } from './inline.ts'
import type { Marker } from './numbering.ts'
import { levelOf, listOf, type Style, setting } from './styles.ts'
import { readTable } from './tables.ts'

export type Around = {
  styleOf(id: string | undefined): Style
  markerOf(list: { id: string; depth: number }): Marker
  relations: Map<string, Relation>
  noteNumber(kind: 'footnote' | 'endnote', id: string): number
  /** Text that is not shown, with a mark that says so. */
  hidden(text: string): string
  /** Returns a chart or a diagram by the id of its relation. */
  graphicOf(id: string): Promise<Element[]>
}

type Written = { inline: Inline; runs: Run[]; style: Style; level: number | null; list: Style['list'] }

/** Creates elements from the paragraphs and tables of a document, one after the other. */
export class Body {
  readonly elements: Element[] = []
  picturesWithoutText = 0
  /** Passages that are set not to be shown. */
  hidden = 0
  /** The page in Word's last layout; stays 1 for documents without a layout. */
  pages = 1
  private readonly around: Around
  private code: string[] = []

  constructor(around: Around) {
    this.around = around
  }

  async add(node: XmlNode): Promise<void> {
    if (node.name === 'w:p') await this.paragraph(node)
    else if (node.name === 'w:tbl') this.table(node)
    else if (/^w:(sdt|sdtContent|ins|moveTo|customXml|smartTag|txbxContent)$/.test(node.name))
      for (const child of elementsOf(node)) await this.add(child)
  }

  end(): void {
    const code = codeOf(this.code.join('\n'))
    this.code = []
    if (code) this.push(code)
  }

  private async paragraph(node: XmlNode): Promise<void> {
    const written = this.read(node)
    const { inline, runs, style, level } = written
    this.pages += inline.breaks.before
    const text = plainText(runs).trimEnd()
    if (level === null && text.trim() && isCode(runs, style)) {
      this.code.push(text)
    } else {
      this.end()
      this.push(this.elementOf(written))
    }
    this.pages += inline.breaks.behind
    await this.beside(inline)
  }

  private elementOf({ runs, level, list }: Written): Element | null {
    if (level !== null) {
      const marker = list && plainText(runs).trim() ? this.around.markerOf(list).text.replace(/\.$/, '') : ''
      return titleOf(marker ? [{ text: `${marker} ` }, ...runs] : runs, level)
    }
    const ticked = /^\s*([☐☒☑])\s*/.exec(plainText(runs))
    if (ticked)
      return listItemOf(
        without(runs, ticked[0].length),
        list?.depth ?? 0,
        ticked[1] === '☐' ? '- [ ]' : '- [x]',
      )
    if (!list) return paragraphOf(runs)
    if (!plainText(runs).trim()) return null
    const marker = this.around.markerOf(list)
    if (marker.isBullet) return listItemOf(runs, list.depth, '-')
    if (marker.isPlain) return listItemOf(runs, list.depth, marker.text.replace(/[.)]?$/, '.'))
    return listItemOf([{ text: `${marker.text} ` }, ...runs], list.depth, '-')
  }

  private async beside(inline: Inline): Promise<void> {
    for (const description of inline.pictures) {
      if (description) this.push({ type: 'Figure', text: description, markdown: `![${description}]()` })
      else this.picturesWithoutText += 1
    }
    for (const box of inline.boxes) await this.add(box)
    for (const id of inline.graphics)
      for (const element of await this.around.graphicOf(id)) this.push(element)
  }

  private table(node: XmlNode): void {
    this.end()
    const cells = readTable(node, (cell) => this.cellText(cell))
    const [only] = cells
    // A table of one cell is only a frame around text.
    if (cells.length === 1 && only) this.push(paragraphOf([{ text: only.text }]))
    else this.push(tableOf(cells))
  }

  private cellText(cell: XmlNode): string {
    const lines: string[] = []
    for (const node of elementsOf(cell)) {
      if (node.name === 'w:p') lines.push(this.line(node))
      else if (node.name === 'w:tbl') {
        const inner = readTable(node, (one) => this.cellText(one))
        lines.push(
          inner
            .map(({ text }) => text)
            .filter(Boolean)
            .join(' '),
        )
      } else if (/^w:(sdt|sdtContent|ins|customXml)$/.test(node.name)) lines.push(this.cellText(node))
    }
    return lines.filter(Boolean).join('\n')
  }

  private line(node: XmlNode): string {
    const { inline, runs, list } = this.read(node)
    this.pages += inline.breaks.before + inline.breaks.behind
    const text = plainText(tidyRuns(runs))
    const boxes = inline.boxes.map((box) => this.cellText(box))
    const pictures = inline.pictures.filter(Boolean)
    const marker = list && text ? this.around.markerOf(list) : null
    const item = marker ? `${marker.isBullet ? '-' : marker.text} ${text}` : text
    return [item, ...pictures, ...boxes].filter(Boolean).join('\n')
  }

  private read(node: XmlNode): Written {
    const properties = childOf(node, 'w:pPr')
    const style = this.around.styleOf(setting(childOf(properties, 'w:pStyle')))
    const inline = readInline(node, this.around)
    if (inline.hidden.trim()) {
      this.hidden += 1
      this.push({
        type: 'NarrativeText',
        text: this.around.hidden(inline.hidden),
        extra: { hidden_text: true },
      })
    }
    const runs = inline.runs.map((run) => ({ ...style.look, ...run }))
    const own = levelOf(properties)
    return {
      inline,
      runs,
      style,
      level: own !== undefined ? own : style.level,
      list: listOf(properties, style.list),
    }
  }

  private push(element: Element | null): void {
    if (element) this.elements.push({ ...element, place: { page: this.pages, ...element.place } })
  }
}

/** A paragraph is code when its style says so, or when all of it is monospaced and contains code characters. */
function isCode(runs: Run[], style: Style): boolean {
  if (style.isCode) return true
  const filled = runs.filter(({ text }) => text.trim())
  return filled.every(({ code }) => code) && /[;{}()[\]=<>]/.test(plainText(filled))
}

/** Runs without their first characters. */
function without(runs: Run[], signs: number): Run[] {
  let left = signs
  return runs.map((run) => {
    const cut = Math.min(left, run.text.length)
    left -= cut
    return { ...run, text: run.text.slice(cut) }
  })
}
