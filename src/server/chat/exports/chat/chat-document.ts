import type { Block } from '#shared/platform/markdown/tree.ts'
import type { Language } from '#shared/platform/primitives.ts'

/** A chat as the common input of all export formats. It is plain data, so that it can be passed to a thread. */
export type ChatDocument = {
  title: string
  /** Participants and date. */
  byline: string
  /** The user, for the file properties. */
  author: string
  /** Name of the product for its reader, for the file properties. */
  product: string
  language: Language
  chapters: Chapter[]
  /** By number, from 1. */
  notes: Note[]
  /** By the address used in the text. */
  images: Record<string, Picture>
  words: DocumentWords
}

/** One branch, or the part of it that no earlier chapter contains. */
export type Chapter = { title: string | null; entries: Entry[] }

export type Entry = { author: string; time: string; isPerson: boolean; parts: Part[] }

export type Part =
  /** `source` is the original text with numbered markers; the Markdown export uses it. */
  | { kind: 'text'; blocks: Block[]; source: string }
  /** One subdued line per step or tool. */
  | { kind: 'steps'; lines: string[] }
  | { kind: 'picture'; address: string; alt: string }
  /** States that a reply failed or is unfinished. */
  | { kind: 'notice'; text: string }

/** A numbered source: title, place and link, and the quoted passage where it may be shown. */
export type Note = { number: number; title: string; place: string; url: string; quote: string | null }

/** Always PNG or JPEG; size in pixels. */
export type Picture = { type: 'png' | 'jpg'; bytes: Uint8Array; width: number; height: number }

/** `image` contains the placeholder `{{alt}}`, `lacking` the placeholder `{{scripts}}`. */
export type DocumentWords = { image: string; lacking: string }
