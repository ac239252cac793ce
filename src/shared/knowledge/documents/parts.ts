import * as z from 'zod/mini'
import { Box, PageBox, Place } from '../../platform/place.ts'
import { Id } from '../../platform/primitives.ts'

export { TextEncoding } from './encodings.ts'

/** Thumbnail of the first page: one of the viewer files. */
export const THUMBNAIL = 'thumb.webp'

/** A spoken word with times in seconds; `confidence` from 0 to 1. */
export const TimedWord = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  confidence: z.number(),
  approximate: z.optional(z.literal(true)),
})
export type TimedWord = z.infer<typeof TimedWord>

/** An element of a document. `bbox` and `coordinates` hold the first box, as fractions of the page. */
export const Element = z.object({
  element_id: z.string(),
  type: z.string(),
  text: z.string(),
  metadata: z.object({
    page_number: z.nullable(z.int()),
    bbox: z.nullable(Box),
    coordinates: z.nullable(z.object({ points: z.array(z.tuple([z.number(), z.number()])) })),
    all_bboxes: z.array(PageBox),
    /** Id of the title above it. */
    parent_id: z.nullable(z.string()),
    /** Seconds from the start. */
    timeline_position: z.nullable(z.number()),
    start: z.nullable(z.number()),
    end: z.nullable(z.number()),
    words: z.array(TimedWord),
    filename: z.string(),
    filetype: z.string(),
    /** Length of a transcript segment in seconds. */
    duration: z.optional(z.number()),
    language: z.optional(z.string()),
    word_count: z.optional(z.int()),
    segment_count: z.optional(z.int()),
    element_metadata: z.object({
      level: z.optional(z.int()),
      sheet: z.optional(z.string()),
      range: z.optional(z.string()),
      span: z.tuple([z.int(), z.int()]),
      extra: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
    }),
  }),
})
export type Element = z.infer<typeof Element>

/** A word that OCR recognised on a page. */
export const PageWord = z.object({ text: z.string(), box: Box, confidence: z.number() })
export type PageWord = z.infer<typeof PageWord>

/**
 * A page with its elements, or the next elements in order when there are no pages. Pages read by OCR include their words,
 * so that they can be selected.
 */
export const DocumentPart = z.object({
  number: z.int(),
  /** Page size in points, or in pixels of a picture; null when there are no pages. */
  page: z.nullable(z.object({ width: z.number(), height: z.number(), rotation: z.int() })),
  elements: z.array(Element),
  words: z.array(PageWord),
})
export type DocumentPart = z.infer<typeof DocumentPart>

/** A passage that can be found and cited. */
export const Chunk = z.object({
  id: Id,
  element_id: z.string(),
  type: z.string(),
  text: z.string(),
  /** Same text under a second name. */
  content: z.string(),
  /** Titles above the passage, the outermost first. */
  heading_path: z.array(z.string()),
  place: Place,
  page_number: z.nullable(z.int()),
  metadata: z.object({
    timeline_position: z.nullable(z.number()),
    start_time_from_meta: z.nullable(z.number()),
    page_number: z.nullable(z.int()),
  }),
  has_embeddings: z.boolean(),
  /** Characters. */
  chunk_size: z.int(),
  certainty: z.nullable(z.number()),
  distance: z.nullable(z.number()),
})
export type Chunk = z.infer<typeof Chunk>

/** Details of a document's processing; times in seconds. */
export const ProcessingInfo = z.object({
  processing_pipeline: z.string(),
  chunking_strategy: z.string(),
  embedding_model: z.nullable(z.string()),
  parse_time: z.nullable(z.number()),
  chunking_time: z.nullable(z.number()),
  embedding_time: z.nullable(z.number()),
})
export type ProcessingInfo = z.infer<typeof ProcessingInfo>

/** Quality of a document's reading. */
export const Report = z.object({
  pages: z.nullable(z.int()),
  pages_without_text: z.int(),
  pages_by_ocr: z.int(),
  /** Mean confidence of the pages read by OCR, 0 to 1. */
  ocr_confidence: z.nullable(z.number()),
  tables: z.int(),
  figures: z.int(),
  words: z.int(),
  languages: z.array(z.string()),
  /** Letters the pages draw, and those in nothing that was read; missing where this was not compared. */
  letters: z.optional(z.object({ drawn: z.int(), missing: z.int() })),
  /** `code` is a key under `warnings` in the document texts. */
  warnings: z.array(
    z.object({ code: z.string(), values: z.record(z.string(), z.union([z.string(), z.number()])) }),
  ),
})
export type Report = z.infer<typeof Report>
