import { listItemOf, paragraphOf, tableOf, titleOf } from '../elements/elements.ts'
import type { Cell, Element } from '../elements/port.ts'
import { readHtml } from '../html/read-html.ts'

/** Data of programs: JSON, or XML that is not a text. */
export type Data = string | number | boolean | null | Data[] | { [key: string]: Data }
type Fields = Record<string, Data>

/** Rows of one table element: small enough to be found and shown on its own. */
const ROWS = 50
/** The limits of a readable table: its columns, and the characters of a cell. */
const COLUMNS = 40
const CELL = 200
/** The maximum length of values on one line. */
const LINE = 300
/** Data nested deeper is made to exhaust a parser. */
const DEPTH = 100
/** The usual fields with the name of a record. */
const names = ['title', 'name', 'headline', 'label', 'titre', 'nom']

/**
 * Data in readable form: similar records become a table, an object becomes its fields under a heading.
 * @throws RangeError when it is nested absurdly deep
 */
export function elementsOfData(data: Data): Element[] {
  const elements: Element[] = []
  write(data, { name: '', level: 0, depth: 0 }, (element) => void (element && elements.push(element)))
  return elements
}

type Place = { name: string; level: number; depth: number }
type Add = (element: Element | null) => void

function write(data: Data, place: Place, add: Add): void {
  if (place.depth > DEPTH) throw new RangeError('nested too deep')
  if (isField(data)) writeField(place.name, data, add)
  else if (Array.isArray(data)) writeList(data, place, add)
  else writeObject(data as Fields, place, add)
}

function writeObject(fields: Fields, place: Place, add: Add): void {
  const entries = Object.entries(fields)
  const [only] = entries
  // A wrapper around a single item has no meaning of its own.
  if (only && entries.length === 1 && !isField(only[1]))
    write(only[1], { ...place, name: place.name || only[0], depth: place.depth + 1 }, add)
  else writeFields(fields, place, add)
}

function writeFields(fields: Fields, place: Place, add: Add): void {
  const named = names.find((key) => typeof fields[key] === 'string' && isShort(fields[key]))
  const heading = named ? textOf(fields[named] ?? null) : place.name
  if (heading) add(titleOf([{ text: heading }], place.level + 1))
  const level = heading ? place.level + 1 : place.level
  for (const [name, value] of Object.entries(fields))
    if (name !== named) write(value, { name, level, depth: place.depth + 1 }, add)
}

function writeList(list: Data[], place: Place, add: Add): void {
  const level = place.name ? place.level + 1 : place.level
  if (place.name) add(titleOf([{ text: place.name }], level))
  if (list.length > 1 && list.every(isRow)) writeTable(list, add)
  else for (const one of list) writeItem(one, { name: '', level, depth: place.depth + 1 }, add)
}

function writeItem(one: Data, place: Place, add: Add): void {
  if (isField(one)) add(listItemOf([{ text: textOf(one) }], 0, '-'))
  else write(one, place, add)
}

/** A long table is split into several elements; each begins with the header. */
function writeTable(rows: Fields[], add: Add): void {
  for (let from = 0; from < rows.length; from += ROWS) {
    const some = rows.slice(from, from + ROWS).map(flat)
    const columns = [...new Set(some.flatMap((row) => Object.keys(row)))].slice(0, COLUMNS)
    const head = columns.map((text, column): Cell => ({ row: 0, column, text, isHeader: true }))
    const body = some.flatMap((row, at) =>
      columns.map((name, column): Cell => ({ row: at + 1, column, text: row[name] ?? '' })),
    )
    add(tableOf([...head, ...body]))
  }
}

function writeField(name: string, data: Data, add: Add): void {
  const text = textOf(data)
  if (!text.trim()) return
  const label = name ? [{ text: `${name}:`, bold: true }, { text: ' ' }] : []
  if (isHtml(text)) {
    add(paragraphOf(label))
    for (const element of readHtml(text).elements) add(element)
  } else if (text.length > LINE || text.includes('\n')) {
    add(paragraphOf(label))
    for (const paragraph of text.split(/\n[ \t]*\n/)) add(paragraphOf([{ text: paragraph }]))
  } else if (name) add(listItemOf([...label, { text }], 0, '-'))
  else add(paragraphOf([{ text }]))
}

/** Whether it is written as one value: a text, a number, or a few of them. */
function isField(data: Data): boolean {
  if (Array.isArray(data)) return data.length === 0 || (data.every(isPlain) && textOf(data).length <= LINE)
  return isPlain(data) || (data !== null && Object.keys(data).length === 0)
}

const isPlain = (data: Data) => data === null || typeof data !== 'object'
const isHtml = (text: string) => /<\/?(p|br|div|a|ul|table|img|h\d)\b/i.test(text)

function isShort(data: Data): boolean {
  const text = isField(data) ? textOf(data) : null
  return text !== null && text.length <= CELL && !text.includes('\n') && !isHtml(text)
}

function isRow(data: Data): data is Fields {
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return false
  const values = Object.values(data)
  return values.length <= COLUMNS && values.every((value) => isShort(value) || isSmallObject(value))
}

function isSmallObject(data: Data): boolean {
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return false
  const values = Object.values(data)
  return values.length <= 8 && values.every(isShort)
}

/** The values of a row by column; those of a nested object have columns of their own (`address.city`). */
function flat(row: Fields): Record<string, string> {
  const all = Object.entries(row).flatMap(([name, value]): [string, string][] =>
    isField(value)
      ? [[name, textOf(value)]]
      : Object.entries(value as Fields).map(([inner, one]) => [`${name}.${inner}`, textOf(one)]),
  )
  return Object.fromEntries(all)
}

function textOf(data: Data): string {
  if (Array.isArray(data)) return data.map(textOf).join(', ')
  return data === null || typeof data === 'object' ? '' : String(data)
}
