import type { Block } from '#shared/platform/markdown/tree.ts'
import type { Language } from '#shared/platform/primitives.ts'

/** A chat as a document: what every format is written from. It is plain data, so that a thread can be given it. */
export type ChatDocument = {
  title: string
  /** Who with whom, and when. */
  byline: string
  /** Who asked, for the properties of the file. */
  author: string
  language: Language
  chapters: Chapter[]
  /** In the order of their numbers, from 1. */
  notes: Note[]
  /** By the address that the text names. */
  images: Record<string, Picture>
  words: DocumentWords
}

/** A branch, or what of it no chapter before has. */
export type Chapter = { title: string | null; entries: Entry[] }

/** One message. */
export type Entry = { author: string; time: string; isPerson: boolean; parts: Part[] }

export type Part =
  /** `source` is the same as it was written, its markers numbered: what Markdown is taken from. */
  | { kind: 'text'; blocks: Block[]; source: string }
  /** Steps and tools, a quiet line each. */
  | { kind: 'steps'; lines: string[] }
  | { kind: 'picture'; address: string; alt: string }
  /** That a reply failed or is not over. */
  | { kind: 'notice'; text: string }

/** What a number leads to: title, place and link, and the words of the passage where they may be shown. */
export type Note = { number: number; title: string; place: string; url: string; quote: string | null }

/** Always PNG or JPEG; pixels. */
export type Picture = { type: 'png' | 'jpg'; bytes: Uint8Array; width: number; height: number }

/** `image` has the place `{{alt}}`. */
export type DocumentWords = { image: string }
