import type { Box } from '../elements/port.ts'
import type { Table } from './lines/page-table.ts'
import type { Paragraph } from './lines/paragraphs.ts'
import type { Note } from './page/read-notes.ts'
import type { Picture, Size, Turn } from './page/run.ts'
import type { Role } from './page/tags.ts'

/** Something on a page, before it is known what it is. */
export type Block = {
  page: number
  turn: Turn
  size: Size
  paragraph?: Paragraph
  table?: Table
  /** What goes on with this table on the next pages. */
  onNextPages?: Block[]
  picture?: Picture | undefined
  /** A form value or an annotation. */
  note?: Note
  /** Read from a picture of the page. */
  scanned?: { text: string; box: Box }
  /** How much of its letters are bold, in a fixed pitch, or signs of formulas: 0 to 1. */
  style: { bold: number; italic: number; fixed: number; math: number }
  role?: Role
  edge?: 'Header' | 'Footer'
}

/** What the whole document says of its parts. */
export type Context = { levels: Levels; outline: OutlineTitles }

/** Titles of the outline in small letters, and how deep each stands, from 1. */
export type OutlineTitles = Map<string, number>
/** The size of the text itself, and whether most of it is bold or italic. */
export type Levels = { body: number; isBodyBold: boolean; isBodyItalic: boolean }
