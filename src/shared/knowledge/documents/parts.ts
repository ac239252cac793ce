import * as z from 'zod/mini'
import { Box, PageBox, Place } from '../../platform/place.ts'
import { Id } from '../../platform/primitives.ts'

/** The first page as a small picture, where a document has one: a file made for the viewers. */
export const THUMBNAIL = 'thumb.webp'

/** A spoken word, in seconds; `confidence` from 0 to 1. */
export const TimedWord = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  confidence: z.number(),
  approximate: z.optional(z.literal(true)),
})
export type TimedWord = z.infer<typeof TimedWord>

/** A piece of a document as it was read. Of `bbox` and `coordinates` the first box, as shares of its page. */
export const Element = z.object({
  element_id: z.string(),
  type: z.string(),
  text: z.string(),
  metadata: z.object({
    page_number: z.nullable(z.int()),
    bbox: z.nullable(Box),
    coordinates: z.nullable(z.object({ points: z.array(z.tuple([z.number(), z.number()])) })),
    all_bboxes: z.array(PageBox),
    /** The title it stands below. */
    parent_id: z.nullable(z.string()),
    /** Seconds from the beginning. */
    timeline_position: z.nullable(z.number()),
    start: z.nullable(z.number()),
    end: z.nullable(z.number()),
    words: z.array(TimedWord),
    filename: z.string(),
    filetype: z.string(),
    /** Of transcripts. */
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

/** A word that OCR read on a page. */
export const PageWord = z.object({ text: z.string(), box: Box, confidence: z.number() })
export type PageWord = z.infer<typeof PageWord>

/**
 * A page with what stands on it, or, where there are no pages, the next elements in order. Of a page that was read by OCR the words, so
 * that they can be selected.
 */
export const DocumentPart = z.object({
  number: z.int(),
  /** In points, or in pixels of a picture; null where there are no pages. */
  page: z.nullable(z.object({ width: z.number(), height: z.number(), rotation: z.int() })),
  elements: z.array(Element),
  words: z.array(PageWord),
})
export type DocumentPart = z.infer<typeof DocumentPart>

/** A passage that is searched and cited. */
export const Chunk = z.object({
  id: Id,
  element_id: z.string(),
  type: z.string(),
  text: z.string(),
  /** The same; under both names. */
  content: z.string(),
  /** The titles it stands below, the outermost first. */
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

/** How a document was processed; times in seconds. */
export const ProcessingInfo = z.object({
  processing_pipeline: z.string(),
  chunking_strategy: z.string(),
  embedding_model: z.nullable(z.string()),
  parse_time: z.nullable(z.number()),
  chunking_time: z.nullable(z.number()),
  embedding_time: z.nullable(z.number()),
})
export type ProcessingInfo = z.infer<typeof ProcessingInfo>

/** How well a document was read. */
export const Report = z.object({
  pages: z.nullable(z.int()),
  pages_without_text: z.int(),
  pages_by_ocr: z.int(),
  /** Mean of the pages read by OCR, 0 to 1. */
  ocr_confidence: z.nullable(z.number()),
  tables: z.int(),
  figures: z.int(),
  words: z.int(),
  languages: z.array(z.string()),
  /** `code` names a sentence (`warnings` in the texts of documents). */
  warnings: z.array(
    z.object({ code: z.string(), values: z.record(z.string(), z.union([z.string(), z.number()])) }),
  ),
})
export type Report = z.infer<typeof Report>
