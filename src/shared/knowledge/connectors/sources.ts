import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, record, text } from '../../platform/primitives.ts'

/** Name of a folder in `server/knowledge/connectors/sources`. */
export const SourceId = text(1, 40).check(z.regex(/^[a-z][a-z0-9-]*$/))
export type SourceId = z.infer<typeof SourceId>

/** `secret` is sealed and never sent back. `lines` has one value per line. */
export const SourceFieldType = z.enum(['text', 'address', 'secret', 'choice', 'lines', 'number'])
export type SourceFieldType = z.infer<typeof SourceFieldType>

/** One field of the settings of a source. Its label is `sources.<source>.fields.<name>` in the texts. */
export const SourceField = z.object({
  name: z.string(),
  type: SourceFieldType,
  required: z.boolean(),
  /** Values of a choice. */
  options: z.optional(z.array(z.string())),
  /** Value of an empty form. */
  value: z.optional(z.string()),
})
export type SourceField = z.infer<typeof SourceField>

/** A source that can be connected on this installation. */
export const Source = z.object({
  id: SourceId,
  fields: z.array(SourceField),
  /** True when the source tells who may read an item. */
  mirrors_rights: z.boolean(),
  /** Personal connectors of this source are possible. */
  personal: z.boolean(),
  /** True when folders can be chosen. */
  has_folders: z.boolean(),
  /** True when people sign in on a page of the source, after the connector is created. */
  signs_in: z.boolean(),
})
export type Source = z.infer<typeof Source>

export const MAX_SETTING = 10_000

/** Values of the fields by name, secrets included. */
export const Settings = record(30, text(0, MAX_SETTING), 60)
export type Settings = z.infer<typeof Settings>

export const MAX_FOLDERS = 500
export const MAX_PATTERNS = 100

/** The part of a source that is read: folders (none: all), and patterns such as `*.pdf` or `drafts/**`. */
export const Selection = z.object({
  folders: z._default(z.array(text(0, 2000)).check(z.maxLength(MAX_FOLDERS)), []),
  include: z._default(z.array(text(1, 500)).check(z.maxLength(MAX_PATTERNS)), []),
  exclude: z._default(z.array(text(1, 500)).check(z.maxLength(MAX_PATTERNS)), []),
})
export type Selection = z.infer<typeof Selection>

/** Settings to try before a connector exists, or changed settings of one. Secrets that are left out are those of the connector. */
const trial = {
  source: SourceId,
  settings: Settings,
  connector_id: z.optional(Id),
  /** Company that the connector is for; null for a personal one. */
  company_id: z.nullable(Id),
}

/** The sources of this installation. */
export const SourceList = z.object({
  items: z.array(Source),
  can_add_personal: z.boolean(),
  /** Sources that lack settings of the installation, with the names of these. Only administrators of a company get them. */
  not_set_up: z.array(z.object({ id: SourceId, settings: z.array(z.string()) })),
})
export type SourceList = z.infer<typeof SourceList>

export const listSources = route({
  method: 'GET',
  path: '/connector-sources',
  access: 'user',
  summary: 'The sources that can be connected here, with the fields of their settings',
  answer: SourceList,
})

export const trySource = route({
  method: 'POST',
  path: '/connector-sources/try',
  access: 'user',
  fails: ['forbidden', 'not_found', 'not_available', 'unavailable'],
  summary: 'Sign in to a source with settings, without storing them',
  body: z.object(trial),
  answer: z.object({
    ok: z.boolean(),
    /** Reason of a refusal, in one sentence; null when the sign-in works. */
    error: z.nullable(z.string()),
  }),
})

export const SourceFolder = z.object({
  path: z.string(),
  name: z.string(),
  has_folders: z.boolean(),
})
export type SourceFolder = z.infer<typeof SourceFolder>

export const browseSource = route({
  method: 'POST',
  path: '/connector-sources/browse',
  access: 'user',
  fails: ['forbidden', 'not_found', 'not_available', 'unavailable'],
  summary: 'The folders directly in a folder of a source, by name, at most 500',
  body: z.object({ ...trial, path: z._default(text(0, 2000), '') }),
  answer: z.object({ items: z.array(SourceFolder), has_more: z.boolean() }),
})

export const countSource = route({
  method: 'POST',
  path: '/connector-sources/count',
  access: 'user',
  fails: ['forbidden', 'not_found', 'not_available', 'unavailable'],
  summary: 'Count the items that would be read and their size. Nothing is read or stored',
  body: z.object({ ...trial, selection: Selection }),
  answer: z.object({
    items: z.int(),
    bytes: z.int(),
    /** Items above the upload limit, which would be listed and not read. */
    too_large: z.int(),
    /** False when counting stopped at a limit of time or items; the numbers are then lower bounds. */
    is_complete: z.boolean(),
  }),
})
