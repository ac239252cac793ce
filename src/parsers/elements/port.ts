/** File formats, named by their usual extension. The content of a file determines its format. */
export const formats = [
  ...(['pdf', 'docx', 'pptx', 'xlsx', 'odt', 'ods', 'odp', 'rtf', 'doc', 'ppt', 'xls'] as const),
  ...(['html', 'md', 'txt', 'csv', 'json', 'xml', 'eml', 'msg', 'epub', 'zip'] as const),
  ...(['png', 'jpg', 'gif', 'webp', 'bmp', 'tiff', 'svg'] as const),
  ...(['mp3', 'wav', 'ogg', 'flac', 'm4a', 'aac', 'mp4', 'webm', 'mov', 'avi', 'mkv'] as const),
] as const
export type Format = (typeof formats)[number]

/**
 * Thoroughness. `low_latency` reads text and positions, `normal` adds layout, tables and OCR, `improved` adds OCR of pictures within PDF
 * pages and the positions of text documents on pages.
 */
export type Pipeline = 'low_latency' | 'normal' | 'improved'

/** Edges as fractions (0 to 1) of the displayed page, which is cropped and rotated, from its upper left corner. */
export type Box = [left: number, top: number, right: number, bottom: number]
/** A box on a page. Pages count from 1; slides and images are pages too. */
export type PageBox = { page: number; box: Box }

/** A spoken word: times in seconds, confidence from 0 to 1. `approximate` if the times are estimated from those of its segment. */
export type TimedWord = { text: string; start: number; end: number; confidence: number; approximate?: true }

/** Position of an element in its file. Each format sets the fields it knows. */
export type Place = {
  /** Boxes on one page or several. */
  boxes?: PageBox[]
  /** Page number, if the geometry of the page is unknown. */
  page?: number
  /** Name of a sheet. */
  sheet?: string
  /** Cells of the sheet, such as `B2:D14`. */
  range?: string
  /** Start and end in a recording or film, in seconds. */
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
  /** Plain text. Tabs and line breaks separate the cells of a table. */
  text: string
  /** Markdown, if it differs from the text: `## Costs`, `- one`, a pipe table, fenced code. */
  markdown?: string
  /** Level of a title, 1 to 6, or depth of a list item, from 0. */
  level?: number
  place?: Place
  /** Cells of a table, as displayed. A spanning cell is listed once. */
  cells?: Cell[]
  /** Other properties, such as the language of code or the author of an annotation. */
  extra?: Record<string, string | number | boolean>
}

/** A cell of a table. Rows and columns count from 0. `box` is absent if its position on the page is unknown. */
export type Cell = {
  row: number
  column: number
  rowSpan?: number
  columnSpan?: number
  text: string
  isHeader?: boolean
  box?: PageBox
}

/** A word that OCR read on a page. */
export type PageWord = { text: string; box: Box; confidence: number }

/** A page as displayed, in points (1/72 inch) or, for pictures, in pixels. */
export type Page = {
  number: number
  width: number
  height: number
  /** Clockwise rotation from the page in the file to the displayed page: 0, 90, 180 or 270. */
  rotation?: number
  /** Words that OCR read; absent if OCR did not run or found none. */
  words?: PageWord[]
  /** Mean confidence of OCR, 0 to 1. */
  confidence?: number
}

/** Number of letters that a file draws, and of drawn letters that its text lacks. */
export type LetterCount = { drawn: number; missing: number }

/** A limitation of a reading that users should know. `code` names a sentence in `locales/…/documents.json`, `warnings`. */
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
    'words_missing',
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

/** Reasons why a file cannot be read. Each names a sentence in `locales/…/documents.json`, `failures`. */
export const failureCodes = [
  ...(['empty', 'unsupported', 'encrypted', 'damaged', 'too_many_pages', 'too_large_inside'] as const),
  ...(['program_missing', 'package_missing', 'took_too_long', 'took_too_much_memory', 'crashed'] as const),
  ...(['no_text', 'transcription_failed', 'model_failed'] as const),
] as const
export type FailureCode = (typeof failureCodes)[number]

/** Thrown if a file cannot be read. `values` are inserted into the sentence: `{ program: 'soffice', package: 'libreoffice' }`. */
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

/** Input and output of a parser. It reads the file at `path`, and writes only with these functions and into `folder`. */
export type Job = {
  /** Path of the file on the local disk. */
  path: string
  /** Size of the file in bytes. */
  size: number
  /** File name given by the owner; never a path. */
  name: string
  format: Format
  pipeline: Pipeline
  /** Encoding that a user chose for a text; a label of the Encoding Standard. */
  encoding?: string
  /** Reads only the article of a web page, and stores no file for a viewer. */
  articleOnly?: boolean
  /** Folder for temporary files, empty at the start. The caller deletes it after it has used the result. */
  folder: string
  /** Language of the user, for texts that parsers add. */
  language: 'en' | 'fr'
  limits: Limits
  signal: AbortSignal
  /** Adds an element. Elements are in reading order. */
  add(element: Element): void
  page(page: Page): void
  /** Reports progress in the unit of the format: pages, sheets, seconds or bytes. */
  progress(done: number, total: number): void
  warn(warning: Warning): void
  /** Reports drawn and missing letters; null if they were not compared. */
  compared(letters: LetterCount | null): void
  /** Adds metadata of the file: `title`, `author`, `duration` in seconds, `pages`, `sheets`, `subject`, `from`, `source_url`. */
  describe(facts: Record<string, string | number>): void
  /**
   * Stores a file for the viewers next to the document. It is served by its name (`[a-z0-9.-]+`): `view.pdf`, `view.png`, `mail.json`,
   * `sheets.json`, `sheet-0-rows-0.json`.
   */
  keep(name: string, content: Uint8Array | { path: string }): Promise<void>
  /** Adds an embedded file, which becomes a separate document below this one: an attachment or an archive entry. */
  attach(file: { name: string; path: string }): void
  settings: Settings
}

/** Limits for one file. */
export type Limits = {
  /** Pages, slides or pictures; further ones are skipped with a warning. */
  pages: number
  /** Characters of text. */
  characters: number
  /** Rows of a sheet. */
  rows: number
  /** Bytes a container (zip, docx, epub, mail) may unpack to. */
  unpackedBytes: number
  /** Files in a container. */
  entries: number
  /** Levels of containers within containers. */
  depth: number
}

/** Settings of the installation. */
export type Settings = {
  /** OCR languages by their tesseract codes: `eng`, `fra`. */
  ocrLanguages: string[]
  /** An OpenAI-compatible transcription server; null for the built-in Whisper. */
  transcription: { url: string; key: string | null; key_header?: 'api-key' | undefined; model: string } | null
  /** The spoken language (`fr`) of a recording and words that may occur in it, if known. */
  speech?: { language: string | null; prompt: string | null }
  /** Folder of the installation's local models. */
  modelsFolder: string
}

/** Reads a file of one format. @throws Unreadable if it cannot be read */
export type Parse = (job: Job) => Promise<void>
