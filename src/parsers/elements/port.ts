/** What a file is, decided by its bytes; the names are the usual extensions, one per kind of content. */
export const formats = [
  ...(['pdf', 'docx', 'pptx', 'xlsx', 'odt', 'ods', 'odp', 'rtf', 'doc', 'ppt', 'xls'] as const),
  ...(['html', 'md', 'txt', 'csv', 'json', 'xml', 'eml', 'msg', 'epub', 'zip'] as const),
  ...(['png', 'jpg', 'gif', 'webp', 'bmp', 'tiff', 'svg'] as const),
  ...(['mp3', 'wav', 'ogg', 'flac', 'm4a', 'aac', 'mp4', 'webm', 'mov', 'avi', 'mkv'] as const),
] as const
export type Format = (typeof formats)[number]

/** How much is done: text and places only; layout, tables and OCR too; or whatever helps. */
export type Pipeline = 'low_latency' | 'normal' | 'improved'

/** Left, top, right and bottom as shares (0 to 1) of the page as it is shown: cropped, rotated, from its upper left corner. */
export type Box = [left: number, top: number, right: number, bottom: number]
/** A box on a page, counted from 1; slides and images are pages too. */
export type PageBox = { page: number; box: Box }

/** A word with its time in seconds and how sure it is (0 to 1). `approximate` when only the segment's time is known. */
export type TimedWord = { text: string; start: number; end: number; confidence: number; approximate?: true }

/** Where something stands in its file; each format gives what it has. */
export type Place = {
  /** On pages: one box or several, also over two pages. */
  boxes?: PageBox[]
  /** On a page whose geometry is not known. */
  page?: number
  /** In a sheet: its name and the range of cells, as `B2:D14`. */
  sheet?: string
  range?: string
  /** In sound and film, in seconds. */
  start?: number
  end?: number
  words?: TimedWord[]
}

export const elementTypes = [
  ...(['Title', 'Header', 'Footer', 'NarrativeText', 'Paragraph', 'ListItem', 'Table', 'Figure'] as const),
  ...(['Formula', 'CodeSnippet', 'UncategorizedText', 'transcript_segment'] as const),
] as const
export type ElementType = (typeof elementTypes)[number]

/** One piece of a document, in reading order. */
export type Element = {
  type: ElementType
  /** Plain text. Of a table the cells, separated by tabs and line ends. */
  text: string
  /** As Markdown, where that is more than the text: `## Costs`, `- one`, a pipe table, fenced code. */
  markdown?: string
  /** Of a title, 1 to 6; of a list item its depth from 0. */
  level?: number
  place?: Place
  /** Of a table that has any: rows of cells as they are shown; a cell that spans others stands once, with its spans. */
  cells?: Cell[]
  /** Anything else worth knowing: a link, the language of code, the confidence of OCR. */
  extra?: Record<string, string | number | boolean>
}

/** A cell of a table, counted from 0, with its place on the page where it is known. */
export type Cell = {
  row: number
  column: number
  rowSpan?: number
  columnSpan?: number
  text: string
  isHeader?: boolean
  box?: PageBox
}

/** A word on a page, for pages whose text stands in a picture. */
export type PageWord = { text: string; box: Box; confidence: number }

/** A page as it is shown, in points (1/72 inch) or, for pictures, in pixels. */
export type Page = {
  number: number
  width: number
  height: number
  /** By which its picture in the file is turned, clockwise: 0, 90, 180 or 270. */
  rotation?: number
  /** Words that OCR read, when the page had no text of its own. */
  words?: PageWord[]
  /** Mean confidence of OCR, 0 to 1. */
  confidence?: number
}

/** Letters of a whole file. */
export type LetterCount = { drawn: number; missing: number }

/** What a reader should know about how well a document was read. `code` names a sentence in `locales/…/documents.json`, `warnings`. */
export type Warning = { code: WarningCode; values?: Record<string, string | number> }
export const warningCodes = [
  ...(['wrong_extension', 'pages_without_text', 'pages_by_ocr', 'pages_skipped', 'low_confidence'] as const),
  ...([
    'hidden_sheets',
    'rows_skipped',
    'formulas_without_results',
    'encoding_guessed',
    'encoding_chosen',
  ] as const),
  ...(['images_without_text', 'attachments_skipped', 'entries_skipped', 'text_cut'] as const),
  ...(['lines_by_ocr', 'letters_unknown', 'hidden_text', 'formulas_calculated'] as const),
  ...([
    'letters_missing',
    'letters_doubtful',
    'form_unread',
    'not_compared',
    'pictures_with_text',
    'pictures_by_ocr',
  ] as const),
  ...(['mail_encrypted', 'mail_in_outlook_format'] as const),
  ...(['approximate_times', 'no_speech', 'geometry_missing', 'damaged'] as const),
] as const
export type WarningCode = (typeof warningCodes)[number]

/** Why a file cannot be read. `code` names a sentence in `locales/…/documents.json`, `failures`. */
export const failureCodes = [
  ...(['empty', 'unsupported', 'encrypted', 'damaged', 'too_many_pages', 'too_large_inside'] as const),
  ...(['program_missing', 'package_missing', 'took_too_long', 'took_too_much_memory', 'crashed'] as const),
  ...(['no_text', 'transcription_failed', 'model_failed'] as const),
] as const
export type FailureCode = (typeof failureCodes)[number]

/** A file that cannot be read, with the reason. `values` complete the sentence: `{ program: 'soffice', package: 'libreoffice' }`. */
export class Unreadable extends Error {
  readonly code: FailureCode
  readonly values: Record<string, string | number>
  constructor(code: FailureCode, values: Record<string, string | number> = {}, options?: ErrorOptions) {
    super(code, options)
    this.name = 'Unreadable'
    this.code = code
    this.values = values
  }
}

/** What a parser is given. It reads the file at `path`, and writes only through the functions and into `folder`. */
export type Job = {
  /** The bytes, on this machine's disk; may be read in parts. */
  path: string
  /** Bytes. */
  size: number
  /** As its owner called it. Never a path. */
  name: string
  format: Format
  pipeline: Pipeline
  /** Encoding of a text, by the Encoding Standard, when a person chose it. */
  encoding?: string
  /** Of a page of the web only what it is about, and nothing for a viewer. */
  articleOnly?: boolean
  /** An empty folder for whatever has to stand on disk meanwhile; removed afterwards. */
  folder: string
  /** The person's language, for what has none of its own. */
  language: 'en' | 'fr'
  limits: Limits
  signal: AbortSignal
  /** In reading order, as soon as they are known. */
  add(element: Element): void
  page(page: Page): void
  /** Pages, sheets, seconds or bytes done of all, whatever the format counts. */
  progress(done: number, total: number): void
  warn(warning: Warning): void
  /** Letters that are drawn, and of these the ones in nothing that was read; null where this was not compared. */
  compared(letters: LetterCount | null): void
  /** Something said of the whole file: `title`, `author`, `duration` in seconds, `pages`, `sheets`, `subject`, `from`, `source_url`. */
  describe(facts: Record<string, string | number>): void
  /**
   * A file made for the viewers, kept beside the document and served by its name (`[a-z0-9.-]+`): `view.pdf`, `view.png`,
   * `mail.json`, `sheets.json`, `sheet-0-rows-0.json`.
   */
  keep(name: string, content: Uint8Array | { path: string }): Promise<void>
  /** A file inside of this one that becomes a document of its own below it: an attachment, an entry of an archive. */
  attach(file: { name: string; path: string }): void
  /** Reads words in a picture; see `ocr/ocr.ts`. */
  settings: Settings
}

/** Bounds of one file. */
export type Limits = {
  /** Pages, slides or pictures that are read; the rest is skipped with a warning. */
  pages: number
  /** Characters of text. */
  characters: number
  /** Rows of a sheet. */
  rows: number
  /** Bytes a container (zip, docx, epub, mail) may unpack to. */
  unpackedBytes: number
  /** Files in a container. */
  entries: number
  /** Containers within containers. */
  depth: number
}

/** What an installation has beside its packages. */
export type Settings = {
  /** Languages of OCR, as tesseract names them: `eng`, `fra`. */
  ocrLanguages: string[]
  /** An OpenAI-compatible server that transcribes with word times, or null for the built-in Whisper. */
  transcription: { url: string; key: string | null; key_header?: 'api-key' | undefined; model: string } | null
  /** Of a recording, where somebody said it: the language that is spoken (`fr`), and words that may be heard. */
  speech?: { language: string | null; prompt: string | null }
  /** Where models that are made at first use stay. */
  modelsFolder: string
}

/** One format's reader. @throws Unreadable with a reason a person understands */
export type Parse = (job: Job) => Promise<void>
