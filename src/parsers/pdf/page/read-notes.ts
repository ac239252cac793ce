import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Box } from '../../elements/port.ts'
import { around, boxOf, type Edges, type Size } from './run.ts'

/** Text on a page outside its content: a form value, an annotation or hidden text. */
export type Note = { text: string; box: Box; kind: NoteKind; author?: string }
export type NoteKind = 'form_field' | 'annotation' | 'hidden_text'

/** A file pinned to a page. `id` is the one that pdf.js uses. */
export type PinnedFile = { id: string; name: string; content?: Uint8Array }

/** The fields of a pdf.js annotation that are used. */
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

/** Annotations without text, or with the text of another annotation. */
const WITHOUT_TEXT = new Set(['Link', 'Popup', 'PrinterMark', 'TrapNet', 'Watermark'])

/**
 * Returns form values, comments and stamps of a page, and its pinned files. Empty fields are omitted. `drawn` maps annotation ids to
 * their drawn text.
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

/** Returns a field as `label: value`, with its drawn text as a fallback; null for empty fields, push buttons and passwords. */
function fieldText(field: Annotation, drawn: string): Said | null {
  if (field.password || field.pushButton) return null
  const label = tidy(field.alternativeText || nameOf(field.fieldName ?? ''))
  const value = field.fieldType === 'Btn' ? buttonText(field) : valueText(field) || drawn
  if (!value) return null
  const text = label ? `${label}: ${value}` : value
  return { text, kind: 'form_field', key: `${field.fieldName ?? field.id}\n${text}` }
}

/** Returns the last part of a field name, the only readable one: `name` of `form1[0].page[0].name[0]`. */
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

/** Returns the content and the drawn text of a note, a stamp or a text box; null if both are empty. */
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
