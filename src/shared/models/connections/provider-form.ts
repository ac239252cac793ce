import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost } from '../../platform/primitives.ts'

/** The kind of a provider: the name of its folder on the server. */
export const ConnectionKind = z.string().check(atMost(40), z.regex(/^[a-z][a-z0-9_]*$/))
export type ConnectionKind = z.infer<typeof ConnectionKind>

/** A further field of the connection form. Its label is the text `models.form.<text>`, its hint `models.form.<text>_hint`. */
const FormField = z.object({
  /** Place of the value in the request, such as `api_version`, `entra.tenant_id` or `options.region`. */
  path: z.string(),
  text: z.string(),
  example: z.string(),
  required: z.boolean(),
  /** The value is the address of a server, or a short id. */
  type: z.enum(['text', 'id', 'url']),
  has_hint: z.boolean(),
  /** The switch that shows the field; null where it is always shown. */
  group: z.nullable(z.string()),
  /** True when the value is secret: it follows the key, after a colon. */
  secret: z.boolean(),
})
export type FormField = z.infer<typeof FormField>

/** The form that connects a provider of a kind. */
export const ProviderForm = z.object({
  kind: ConnectionKind,
  /** Empty when each connection has a name of its own. */
  name: z.string(),
  /** The default address, or one of the shape that is needed. */
  example_url: z.string(),
  url: z.enum(['optional', 'required']),
  /** Names of texts: the hint of the address, what the kind asks for, the label and the hint of the key. */
  url_hint: z.string(),
  wants: z.string(),
  key_label: z.string(),
  key_hint: z.nullable(z.string()),
  key: z.enum(['optional', 'required']),
  /** Models typed by hand: taken at any address, only at another one than the default, required, or not taken. */
  model_ids: z.enum(['taken', 'elsewhere', 'required', 'none']),
  /** Names of texts: label of the models typed by hand; its hint ends in `_hint`. */
  model_ids_text: z.string(),
  model_example: z.string(),
  fields: z.array(FormField),
  /** Servers of this kind with a known address. */
  presets: z.array(z.object({ name: z.string(), base_url: z.string(), needs_key: z.boolean() })),
})
export type ProviderForm = z.infer<typeof ProviderForm>

export const listProviderForms = route({
  method: 'GET',
  path: '/model-connections/kinds',
  access: 'super_admin',
  summary: 'Kinds of model providers and what connecting them takes',
  pages: 100,
  answer: z.array(ProviderForm),
})
