import * as z from 'zod'
import { type Page, type Property, Rich, textOf } from './requests-to-notion.ts'

/** Depth of rollups that contain values. */
const MAX_DEPTH = 3
const MAX_VALUES = 100

const Texts = z.array(Rich)
const Named = z.object({ name: z.nullish(z.string()) })
const Span = z.object({ start: z.string(), end: z.nullish(z.string()) })
const UniqueId = z.object({ prefix: z.nullish(z.string()), number: z.nullish(z.number()) })
const Typed = z.looseObject({ type: z.string() })

/** Returns the title of a page; an empty text without one. */
export function titleOf({ properties }: Pick<Page, 'properties'>): string {
  const title = Object.values(properties).find(({ type }) => type === 'title')
  return textOf(Texts.safeParse(title?.title).data)
}

/** Returns the chosen options of a page, which are its labels. */
export function labelsOf({ properties }: Page): string[] {
  return Object.values(properties)
    .filter(({ type }) => type === 'multi_select')
    .flatMap((property) => z.array(Named).safeParse(property.multi_select).data ?? [])
    .flatMap(({ name }) => name ?? [])
}

/** Returns the values of a row of a database as texts, without its title. */
export function factsOf({ properties, parent }: Page): [name: string, value: string][] {
  if (parent.type !== 'database_id' && parent.type !== 'data_source_id') return []
  return Object.entries(properties)
    .filter(([, { type }]) => type !== 'title')
    .map(([name, property]) => [name, valueText(property, 0)])
}

function valueText(property: Property, depth: number): string {
  const value = property[property.type]
  if (value === null || value === undefined || depth > MAX_DEPTH) return ''
  if (typeof value === 'boolean') return value ? '✓' : '✗'
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  switch (property.type) {
    case 'rich_text':
      return textOf(Texts.safeParse(value).data)
    case 'date': {
      const { data } = Span.safeParse(value)
      return data ? [data.start, data.end].filter(Boolean).join(' – ') : ''
    }
    case 'unique_id': {
      const { data } = UniqueId.safeParse(value)
      return data
        ? [data.prefix, data.number].filter((one) => one !== null && one !== undefined).join('-')
        : ''
    }
    case 'formula':
    case 'rollup': {
      const { data } = Typed.safeParse(value)
      return data ? valueText(data, depth + 1) : ''
    }
    case 'array': {
      const { data } = z.array(Typed).safeParse(value)
      return (data ?? [])
        .slice(0, MAX_VALUES)
        .map((one) => valueText(one, depth + 1))
        .filter(Boolean)
        .join(', ')
    }
    case 'title':
      return textOf(Texts.safeParse(value).data)
    default:
      return names(value)
  }
}

/** Returns the names of one or several options, people or files. */
function names(value: unknown): string {
  const all = Array.isArray(value) ? value : [value]
  return all
    .slice(0, MAX_VALUES)
    .flatMap((one) => Named.safeParse(one).data?.name ?? [])
    .join(', ')
}
