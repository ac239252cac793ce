import * as z from 'zod'
import { ScimError } from './scim-error.ts'

/** The attributes of a directory user that Atrium stores. */
export type UserDraft = {
  userName: string
  externalId: string | null
  givenName: string
  familyName: string
  displayName: string
  email: string
  active: boolean
  language: string | null
}

const text = z.string().max(320)
/** Entra sends `"False"` for false, other directories send `0`, or either as `[{ "value": … }]`. */
export const flag = z.preprocess(bareOf, z.union([z.boolean(), z.stringbool()]))
const Email = z.looseObject({ value: z.nullish(text), primary: z.nullish(flag), type: z.nullish(text) })
const Given = z.looseObject({
  userName: z.nullish(text),
  externalId: z.nullish(text),
  displayName: z.nullish(text),
  name: z.nullish(
    z.looseObject({ givenName: z.nullish(text), familyName: z.nullish(text), formatted: z.nullish(text) }),
  ),
  emails: z.nullish(z.array(Email).max(50)),
  active: z.nullish(flag),
  preferredLanguage: z.nullish(text),
  locale: z.nullish(text),
})
const Operations = z.looseObject({
  Operations: z
    .array(
      z.looseObject({
        op: z.string().max(20),
        path: z.nullish(z.string().max(300)),
        value: z.unknown().optional(),
      }),
    )
    .max(1_000),
})
export type Operation = { op: 'add' | 'replace' | 'remove'; path: string; value: unknown }

/** Merges a request body into the known state. @throws ScimError `invalidValue` */
export function mergeUser(before: UserDraft | null, body: unknown): UserDraft {
  const given = parse(Given, lowerFirst(unwrapCore(body)))
  const { name } = given
  const email = mailOf(given.emails)
  const draft = {
    userName: given.userName ?? before?.userName ?? '',
    externalId: given.externalId === undefined ? (before?.externalId ?? null) : given.externalId,
    givenName: name?.givenName ?? before?.givenName ?? '',
    familyName: name?.familyName ?? before?.familyName ?? '',
    displayName: given.displayName ?? name?.formatted ?? before?.displayName ?? '',
    email: email ?? before?.email ?? '',
    active: given.active ?? before?.active ?? true,
    language: given.preferredLanguage ?? given.locale ?? before?.language ?? null,
  }
  if (draft.email === '' && draft.userName.includes('@')) draft.email = draft.userName
  return draft
}

/** Applies PATCH operations in the dialects of Okta, Entra and the RFC: with a path, or with an object. */
export function patchUser(before: UserDraft, operations: Operation[]): UserDraft {
  let draft = before
  for (const { op, path, value } of operations) {
    if (op === 'remove') {
      if (path.toLowerCase() === 'externalid') draft = mergeUser(draft, { externalId: null })
    } else if (path !== '') draft = mergeUser(draft, nest(path, value))
    else
      for (const [name, one] of Object.entries(attributesOf(value))) draft = mergeUser(draft, nest(name, one))
  }
  return draft
}

/** @throws ScimError `invalidValue` for a value without a path that has no attributes */
function attributesOf(value: unknown): Record<string, unknown> {
  const whole = unwrapCore(value ?? {})
  if (typeof whole === 'object' && whole !== null && !Array.isArray(whole)) return { ...whole }
  throw new ScimError(400, 'An operation without a path needs an object of attributes.', 'invalidValue')
}

/** @throws ScimError `invalidSyntax` for what are no operations */
export function readOperations(body: unknown): Operation[] {
  return parse(Operations, body, 'invalidSyntax').Operations.map(({ op, path, value }) => {
    const name = op.toLowerCase()
    if (name !== 'add' && name !== 'replace' && name !== 'remove')
      throw new ScimError(400, 'An operation adds, replaces or removes.', 'invalidSyntax')
    return { op: name, path: barePath(path ?? ''), value }
  })
}

/** The schema of users. Its attributes may come below its name, or with the name in front. */
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:user(:|$)/i

/** Returns a path without spaces and quotation marks around it, and without the name of the user schema. */
export const barePath = (path: string) =>
  path
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(CORE, '')

/**
 * Returns an object with plain attribute names: those below the name of the user schema come one level up, and those with the name in
 * front lose it. A list of one object counts as the object.
 */
export function unwrapCore(body: unknown): unknown {
  const whole = Array.isArray(body) && body.length === 1 ? body[0] : body
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return body
  return Object.fromEntries(
    Object.entries(whole).flatMap(([key, value]) => {
      const name = barePath(key)
      if (name !== '') return [[name, value]]
      const below = unwrapCore(value)
      return typeof below === 'object' && below !== null ? Object.entries(below) : []
    }),
  )
}

/** Turns a path into nested objects. Paths of extensions reach no stored attribute. */
function nest(given: string, value: unknown): unknown {
  const path = barePath(given)
  if (path.toLowerCase().startsWith('urn:')) return {}
  if (workAddress.test(path)) return { emails: [addressOf(value)] }
  const [first = '', second] = path.split('.')
  if (/^emails\b/i.test(first) && (second !== undefined || first.includes('['))) return {}
  return second ? { [first]: { [second]: value } } : { [first]: value }
}

/** Matches paths to the one stored address: the work address or the first one. */
const workAddress =
  /^emails(\[ *(type eq "work"|primary eq "?true"?) *\])?\.value$|^emails\[ *(type eq "work"|primary eq "?true"?) *\]$/i

/** Accepts the address itself or an object that contains it. */
function addressOf(value: unknown): object {
  const whole = typeof value === 'object' && value !== null && 'value' in value ? value.value : value
  return { value: whole, primary: true }
}

/** Returns a single value without the list and the object around it; a number as text. */
function bareOf(value: unknown): unknown {
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value
  const bare = typeof one === 'object' && one !== null && 'value' in one ? one.value : one
  return typeof bare === 'number' ? String(bare) : bare
}

const names = [
  'userName',
  'externalId',
  'displayName',
  'name',
  'emails',
  'active',
  'preferredLanguage',
  'locale',
]
const parts = ['givenName', 'familyName', 'formatted']

/** Lower-cases the first letter of attribute names, which are case-insensitive (RFC 7643, 2.1). */
function lowerFirst(body: unknown): unknown {
  const rename = (value: unknown, known: string[]): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const named = (key: string) => known.find((name) => name.toLowerCase() === key.toLowerCase()) ?? key
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [named(key), one]))
  }
  const top = rename(body, names) as Record<string, unknown>
  return top && typeof top === 'object' && 'name' in top ? { ...top, name: rename(top.name, parts) } : top
}

function mailOf(emails: z.infer<typeof Given>['emails']): string | undefined {
  const found =
    emails?.find(({ primary }) => primary) ?? emails?.find(({ type }) => type === 'work') ?? emails?.[0]
  return found?.value ?? undefined
}

/** @throws ScimError with the first thing that is wrong */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  type: 'invalidValue' | 'invalidSyntax' = 'invalidValue',
): z.infer<Schema> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new ScimError(
    400,
    `${issue?.path.join('.') || 'The body'}: ${issue?.message ?? 'it is wrong'}.`,
    type,
  )
}
