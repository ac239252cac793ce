import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Box } from '../../elements/port.ts'
import { around, boxOf, type Edges, type Size } from './run.ts'

/** Text on a page that is no part of its content: the value of a form field, or an annotation. */
export type Note = { text: string; box: Box; kind: NoteKind; author?: string }
export type NoteKind = 'form_field' | 'annotation' | 'hidden_text'

/** A file attached at a place on a page. `id` is what the library finds it by. */
export type PinnedFile = { id: string; name: string; content?: Uint8Array }

/** The part of what the library says of an annotation that is read here. */
type Annotation = {
  subtype: string
  id: string
  rect: [number, number, number, number]
  annotationFlags?: number
  contentsObj?: { str: string }
  titleObj?: { str: string }
  richText?: { str?: string } | null
  textContent?: string[]
  fieldType?: string
  fieldName?: string
  alternativeText?: string
  fieldValue?: unknown
  password?: boolean
  pushButton?: boolean
  checkBox?: boolean
  radioButton?: boolean
  exportValue?: string
  buttonValue?: string
  options?: { exportValue: string; displayValue: string }[]
  fileId?: string
  file?: { filename?: string; content?: Uint8Array }
}

/** Annotations that only link, or show the text of another one. */
const WITHOUT_TEXT = new Set(['Link', 'Popup', 'PrinterMark', 'TrapNet', 'Watermark'])

/**
 * Form values, comments and stamps of a page, with the files that are attached to it. Empty fields are left out. `drawn` is what the
 * appearance of each annotation shows, by its id.
 */
export async function readNotes(
  page: PDFPageProxy,
  size: Size,
  drawn: Map<string, string> = new Map(),
): Promise<{ notes: Note[]; files: PinnedFile[] }> {
  const annotations: Annotation[] = await page.getAnnotations({ intent: 'any' })
  const transform = page.getViewport({ scale: 1 }).transform as number[]
  const place = (rect: Annotation['rect']): Box => boxOf(shownEdges(rect, transform), 0, size)
  const notes: Note[] = []
  const seen = new Set<string>()
  for (const one of annotations) {
    const shown = tidy(drawn.get(one.id) ?? '')
    const note = one.subtype === 'Widget' ? fieldText(one, shown) : annotationText(one, shown)
    if (!note || seen.has(note.key)) continue
    seen.add(note.key)
    const { key: _, ...said } = note
    notes.push({ ...said, box: place(one.rect) })
  }
  return { notes: notes.sort((a, b) => a.box[1] - b.box[1]), files: annotations.flatMap(pinnedFile) }
}

function shownEdges([x1, y1, x2, y2]: Annotation['rect'], transform: number[]): Edges {
  const [a, b, c, d, e, f] = transform as [number, number, number, number, number, number]
  const [left, right] = [a * x1 + c * y1 + e, a * x2 + c * y2 + e]
  const [top, bottom] = [b * x1 + d * y1 + f, b * x2 + d * y2 + f]
  return around([
    { left, right: left, top, bottom: top },
    { left: right, right, top: bottom, bottom },
  ])
}

type Said = { text: string; kind: NoteKind; author?: string; key: string }

/** A field with its value, or what it shows, as `label: value`; null when it is empty, a push button or a password. */
function fieldText(field: Annotation, drawn: string): Said | null {
  if (field.password || field.pushButton) return null
  const label = tidy(field.alternativeText || nameOf(field.fieldName ?? ''))
  const value = field.fieldType === 'Btn' ? buttonText(field) : valueText(field) || drawn
  if (!value) return null
  const text = label ? `${label}: ${value}` : value
  return { text, kind: 'form_field', key: `${field.fieldName ?? field.id}\n${text}` }
}

/** `form1[0].page[0].name[0]` says what only the last part means to a person. */
function nameOf(name: string): string {
  const last = name.split('.').at(-1) ?? ''
  return last.replace(/\[\d+\]$/, '')
}

function buttonText(field: Annotation): string | null {
  const value = String(field.fieldValue ?? 'Off')
  const own = field.radioButton ? field.buttonValue : field.exportValue
  if (value === 'Off' || value === '') return null
  if (own !== undefined && own !== null && value !== own) return null
  return `☑ ${value}`
}

function valueText(field: Annotation): string {
  const values = Array.isArray(field.fieldValue) ? field.fieldValue : [field.fieldValue]
  const names = values
    .filter((value) => value !== null && value !== undefined && value !== '')
    .map((value) => field.options?.find((one) => one.exportValue === value)?.displayValue ?? String(value))
  const written = names.join(', ') || (field.textContent ?? []).join('\n')
  return tidy(written) || tidy(field.richText?.str ?? '')
}

/** What a note, a stamp or a text box says and shows; null when that is nothing. */
function annotationText(one: Annotation, drawn: string): Said | null {
  const shown = one.subtype === 'FreeText' ? tidy((one.textContent ?? []).join('\n')) : ''
  const own = WITHOUT_TEXT.has(one.subtype)
    ? ''
    : tidy(one.contentsObj?.str ?? '') || tidy(one.richText?.str ?? '')
  const said = shown || own
  const text = lettersOf(said).includes(lettersOf(drawn)) ? said : [drawn, said].filter(Boolean).join('\n')
  if (!text) return null
  const author = tidy(one.titleObj?.str ?? '')
  return { text, kind: 'annotation', key: `${one.subtype} ${one.id}`, ...(author ? { author } : {}) }
}

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

function pinnedFile({ subtype, file, fileId, id }: Annotation): PinnedFile[] {
  if (subtype !== 'FileAttachment' || !file) return []
  const { filename = 'attachment', content } = file
  return [{ id: fileId ?? id, name: filename, ...(content ? { content } : {}) }]
}

const tidy = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .trim()
