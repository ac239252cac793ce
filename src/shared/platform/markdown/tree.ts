/** Rendered text as data. It contains no HTML: HTML from the author is text. */
export type Inline =
  | { type: 'text'; text: string }
  | { type: 'strong' | 'emphasis' | 'delete' | 'kbd' | 'sub' | 'sup'; children: Inline[] }
  | { type: 'code'; text: string }
  | { type: 'math'; tex: string; display: boolean }
  | { type: 'link'; url: string; title: string | null; children: Inline[] }
  | { type: 'image'; url: string; title: string | null; alt: string }
  | { type: 'break' }
  | { type: 'footnote-reference'; number: number; label: string; first: boolean }
  /** The marker of a cited passage. */
  | { type: 'citation'; id: string; number: number }
  /** A piece of a marked range (`marks.ts`); `isEnd` is true for its last piece. */
  | { type: 'mark'; index: number; isEnd: boolean; children: Inline[] }
  | { type: 'custom'; name: string; attributes: Record<string, string>; children: Inline[] }

export type Cell = Inline[]
export type TableAlign = 'left' | 'right' | 'center' | null
/** `checked` is null for an item without a checkbox. */
export type ListItem = { checked: boolean | null; children: Block[] }
export type Footnote = { number: number; label: string; children: Block[] }
export type ListBlock = {
  type: 'list'
  ordered: boolean
  start: number
  loose: boolean
  items: ListItem[]
}
export type TableBlock = { type: 'table'; align: TableAlign[]; head: Cell[]; rows: Cell[][] }
/** `open` until its closing fence was read. */
export type CodeBlock = {
  type: 'code'
  lang: string | null
  meta: string | null
  text: string
  open: boolean
}
export type MathBlock = { type: 'math'; tex: string; open: boolean }

export type Block =
  | { type: 'paragraph'; children: Inline[] }
  | { type: 'heading'; level: 1 | 2 | 3 | 4 | 5 | 6; children: Inline[] }
  | CodeBlock
  | MathBlock
  | ListBlock
  | { type: 'quote'; children: Block[] }
  | TableBlock
  | { type: 'rule' }
  /** HTML source, shown as text. */
  | { type: 'html'; text: string }
  /** A line too long to parse, shown as source. */
  | { type: 'plain'; text: string }
  | { type: 'footnotes'; items: Footnote[] }
