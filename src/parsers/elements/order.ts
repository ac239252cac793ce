import type { Element, Format, Job, LetterCount, Page, Warning } from './port.ts'

/** A file to read, with the settings for reading it. */
export type Order = Pick<
  Job,
  'path' | 'name' | 'pipeline' | 'articleOnly' | 'encoding' | 'folder' | 'language' | 'limits' | 'settings'
> & {
  /** Receives the result and the files for the viewers. */
  outFolder: string
}

/** The result of reading a document. `kept` names files in the output folder. */
export type Reading = {
  format: Format
  elements: (Element & { span: readonly [start: number, end: number] })[]
  pages: Page[]
  warnings: Warning[]
  facts: Record<string, string | number>
  /** Null if the drawn letters were not compared with the text. */
  letters: LetterCount | null
  kept: string[]
  attachments: { name: string; path: string }[]
  /** All elements as Markdown. */
  markdown: string
  /** Plain text, without page headers, page footers and pictures. */
  text: string
}
