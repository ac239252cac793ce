import type { Box } from '../elements/port.ts'
import type { Table } from './lines/page-table.ts'
import type { Paragraph } from './lines/paragraphs.ts'
import type { Note } from './page/read-notes.ts'
import type { Picture, Size, Turn } from './page/run.ts'
import type { Role } from './page/tags.ts'

/** A part of a page before it is classified. */
export type Block = {
  page: number
  turn: Turn
  size: Size
  paragraph?: Paragraph
  table?: Table
  /** The parts of this table on the next pages. */
  onNextPages?: Block[]
  picture?: Picture | undefined
  /** A form value or an annotation. */
  note?: Note
  /** Text that OCR read. */
  scanned?: { text: string; box: Box }
  /** The shares of bold, italic, fixed-pitch and formula letters: 0 to 1. */
  style: { bold: number; italic: number; fixed: number; math: number }
  role?: Role
  edge?: 'Header' | 'Footer'
}

/** Facts about the whole document. */
export type Context = { levels: Levels; outline: OutlineTitles }

/** The level from 1 of each title of the outline, by the title in lower case. */
export type OutlineTitles = Map<string, number>
/** The size of the body text. The flags are true if most of it is bold or italic. */
export type Levels = { body: number; isBodyBold: boolean; isBodyItalic: boolean }
