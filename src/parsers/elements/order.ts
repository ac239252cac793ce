import type { Element, Format, Job, LetterCount, Page, Warning } from './port.ts'

/** What is to be read, and with what. */
export type Order = Pick<
  Job,
  'path' | 'name' | 'pipeline' | 'articleOnly' | 'encoding' | 'folder' | 'language' | 'limits' | 'settings'
> & {
  /** Where files made for the viewers and files from inside are put; they outlive the reading. */
  outFolder: string
}

/** A document as it was read. Files stand in the out folder: those of `kept` under their names. */
export type Reading = {
  format: Format
  elements: (Element & { span: readonly [start: number, end: number] })[]
  pages: Page[]
  warnings: Warning[]
  facts: Record<string, string | number>
  /** Null where what is drawn was not compared with what was read. */
  letters: LetterCount | null
  kept: string[]
  attachments: { name: string; path: string }[]
  /** The whole as Markdown, and its text alone. */
  markdown: string
  text: string
}
