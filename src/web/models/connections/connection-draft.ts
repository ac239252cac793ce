import type { ModelConnection } from '#shared/models/connections/connections.ts'
import { usuallyHasOneSlot } from '#shared/models/connections/one-slot.ts'
import type { FormField, ProviderForm } from '#shared/models/connections/provider-form.ts'

export type Preset = ProviderForm['presets'][number]

/** Form state of the connection dialog. */
export type ConnectionDraft = {
  /** The fields of the provider kind. */
  form: ProviderForm
  name: string
  baseUrl: string
  /** The key, or the secret that belongs to a group of fields. */
  apiKey: string
  /** Model ids typed by hand, one per line. */
  modelIds: string
  /** Values of the form's further fields, by their paths. */
  values: Readonly<Record<string, string>>
  /** Groups of fields that are switched on. */
  groups: readonly string[]
  /** Additional key; calls rotate through all keys. */
  newKey: string
  removedKeys: readonly string[]
  /** Limits per minute, as typed; empty means no limit. */
  requests: string
  tokens: string
  /** Null while it follows the address. */
  oneAtATime: boolean | null
  /** Seconds, as typed; empty means the default. */
  firstToken: string
}

type DraftProblem =
  | 'name_missing'
  | 'name_too_long'
  | 'url_missing'
  | 'url_wrong'
  | 'key_missing'
  | 'limit_wrong'
  | 'seconds_wrong'
  | 'secret_missing'
  | 'field_missing'
  | 'id_wrong'
  | 'model_ids_missing'
/** Problems by the names of draft fields and the paths of further fields. */
export type DraftProblems = Partial<Record<string, DraftProblem>>

const noRules = {
  ...{ newKey: '', removedKeys: [], requests: '', tokens: '' },
  ...{ oneAtATime: null, firstToken: '' },
}

/** Returns an empty draft of a kind, named after the provider if it is known. */
export function newDraft(form: ProviderForm): ConnectionDraft {
  return { form, name: form.name, baseUrl: '', apiKey: '', modelIds: '', values: {}, groups: [], ...noRules }
}

/** Returns the draft for editing a stored connection. Its key is never sent to the browser. */
export function draftOf(connection: ModelConnection, form: ProviderForm): ConnectionDraft {
  const { name, base_url, model_ids, requests_per_minute, tokens_per_minute } = connection
  const { one_at_a_time, first_token_seconds } = connection
  const values = Object.fromEntries(form.fields.map(({ path }) => [path, storedValue(connection, path)]))
  const groups = form.fields.flatMap(({ path, group }) => (group && values[path] ? [group] : []))
  return {
    ...newDraft(form),
    ...{ name, baseUrl: base_url ?? '', modelIds: model_ids.join('\n') },
    ...{ values, groups: [...new Set(groups)] },
    ...{ requests: String(requests_per_minute ?? ''), tokens: String(tokens_per_minute ?? '') },
    ...{ oneAtATime: one_at_a_time, firstToken: String(first_token_seconds ?? '') },
  }
}

function storedValue({ api_version, entra, options }: ModelConnection, path: string): string {
  const stored = {
    api_version,
    ...Object.fromEntries(Object.entries(entra ?? {}).map(([name, value]) => [`entra.${name}`, value])),
    ...Object.fromEntries(Object.entries(options).map(([name, value]) => [`options.${name}`, value])),
  }
  return Object.entries(stored).find(([name]) => name === path)?.[1] ?? ''
}

/**
 * Changes the kind. Name and address follow unless the user has edited them. Groups of fields, their secret and
 * the rules of the server belong to the former kind, so they are cleared.
 */
export function changeKind(draft: ConnectionDraft, form: ProviderForm): ConnectionDraft {
  if (form.kind === draft.form.kind) return draft
  const name = hasOwnName(draft) ? draft.name : form.name
  const apiKey = draft.groups.length > 0 ? '' : draft.apiKey
  return {
    ...draft,
    form,
    name,
    baseUrl: presetOf(draft) ? '' : draft.baseUrl,
    apiKey,
    groups: [],
    ...noRules,
  }
}

/** Fills in the address of a known server. The name follows unless the user has edited it. */
export function choosePreset(draft: ConnectionDraft, { name, base_url }: Preset): ConnectionDraft {
  return { ...draft, baseUrl: base_url, name: hasOwnName(draft) ? draft.name : name }
}

/** Returns the preset whose address a draft has, if any. */
export function presetOf({ form, baseUrl }: ConnectionDraft): Preset | undefined {
  return form.presets.find((preset) => preset.base_url === baseUrl.trim())
}

function hasOwnName(draft: ConnectionDraft): boolean {
  return !['', draft.form.name, presetOf(draft)?.name].includes(draft.name.trim())
}

/** Validates a draft. `hasKey`: a key is already stored, so the field may stay empty. */
export function checkDraft(draft: ConnectionDraft, hasKey: boolean): DraftProblems {
  const problems: DraftProblems = {}
  const name = draft.name.trim()
  if (name === '') problems.name = 'name_missing'
  else if (name.length > 60) problems.name = 'name_too_long'
  const url = draft.baseUrl.trim()
  if (url === '' && draft.form.url === 'required') problems.baseUrl = 'url_missing'
  else if (url !== '' && !isHttpUrl(url)) problems.baseUrl = 'url_wrong'
  if (Number.isNaN(limitOf(draft.requests) ?? 0)) problems.requests = 'limit_wrong'
  if (Number.isNaN(limitOf(draft.tokens) ?? 0)) problems.tokens = 'limit_wrong'
  if (!isPatience(limitOf(draft.firstToken))) problems.firstToken = 'seconds_wrong'
  if (needsKey(draft) && !hasKey && draft.apiKey.trim() === '')
    problems.apiKey = draft.groups.length > 0 ? 'secret_missing' : 'key_missing'
  // The address of a deployment names it.
  const isNamed = modelIdsOf(draft).length > 0 || url.includes('/deployments/')
  if (draft.form.model_ids === 'required' && !isNamed) problems.modelIds = 'model_ids_missing'
  for (const field of draft.form.fields.filter((one) => isShown(draft, one))) {
    const problem = checkField(field, typedValue(draft, field.path))
    if (problem) problems[field.path] = problem
  }
  return problems
}

function checkField({ required, type }: FormField, value: string): DraftProblem | null {
  if (value === '') return required ? 'field_missing' : null
  if (type === 'url') return isHttpUrl(value) ? null : 'url_wrong'
  return type === 'id' && !/^[\w.:-]{1,100}$/.test(value) ? 'id_wrong' : null
}

/** Whether a field is shown: its group is switched on, or it has none. */
export const isShown = ({ groups }: ConnectionDraft, { group }: FormField): boolean =>
  group === null || groups.includes(group)

const typedValue = ({ values }: ConnectionDraft, path: string): string => (values[path] ?? '').trim()

/** Whether models may be typed by hand: the lists of some providers are complete. */
export function takesModelIds({ form, baseUrl }: ConnectionDraft): boolean {
  return form.model_ids === 'elsewhere' ? baseUrl.trim() !== '' : form.model_ids !== 'none'
}

/** Whether a draft cannot do without a key. */
export function needsKey(draft: ConnectionDraft): boolean {
  if (draft.groups.length > 0) return true
  return presetOf(draft)?.needs_key ?? draft.form.key === 'required'
}

/** Returns the typed model ids, each once. */
export function modelIdsOf(draft: ConnectionDraft): string[] {
  if (!takesModelIds(draft)) return []
  const typed = draft.modelIds.split(/[\n,]/).map((id) => id.trim())
  return [...new Set(typed)].filter((id) => id !== '')
}

/** Builds the request body that connects or tests a draft. */
export function bodyOf(draft: ConnectionDraft) {
  const model_ids = modelIdsOf(draft)
  return {
    name: draft.name.trim(),
    kind: draft.form.kind,
    base_url: draft.baseUrl.trim() || null,
    api_key: keyOf(draft),
    ...(model_ids.length > 0 && { model_ids }),
    ...detailsOf(draft),
    ...(draft.oneAtATime !== null && { one_at_a_time: draft.oneAtATime }),
    ...(draft.firstToken.trim() !== '' && { first_token_seconds: limitOf(draft.firstToken) }),
  }
}

/** Returns whether requests of a draft wait for each other: as chosen, otherwise as usual for servers at its address. */
export const takesOneAtATime = ({ baseUrl, oneAtATime }: ConnectionDraft): boolean =>
  oneAtATime ?? usuallyHasOneSlot(baseUrl.trim())

/** Returns whether the server accepts this limit of the first token. */
const isPatience = (seconds: number | null) => seconds === null || (seconds >= 10 && seconds <= 86_400)

/** The key with the secrets that follow it; null when none is typed. */
function keyOf(draft: ConnectionDraft): string | null {
  const key = draft.apiKey.trim()
  if (key === '') return null
  const secrets = draft.form.fields.filter((field) => field.secret && isShown(draft, field))
  return [key, ...secrets.map(({ path }) => typedValue(draft, path))].filter((part) => part !== '').join(':')
}

/** The values of the further fields, as far as the kind has them. */
function detailsOf(draft: ConnectionDraft) {
  const { fields } = draft.form
  const shown = fields.filter((field) => isShown(draft, field))
  const isOn = (start: string) => shown.some(({ path }) => path.startsWith(start))
  const has = (start: string) => fields.some(({ path }) => path.startsWith(start))
  const options = shown.flatMap(({ path }) => {
    const value = typedValue(draft, path)
    return path.startsWith('options.') && value !== '' ? [[path.slice('options.'.length), value]] : []
  })
  const entra = {
    tenant_id: typedValue(draft, 'entra.tenant_id'),
    client_id: typedValue(draft, 'entra.client_id'),
    authority: typedValue(draft, 'entra.authority') || null,
  }
  return {
    ...(has('api_version') && { api_version: typedValue(draft, 'api_version') || null }),
    ...(has('entra.') && { entra: isOn('entra.') ? entra : null }),
    ...(has('options.') && { options: Object.fromEntries(options) as Record<string, string> }),
  }
}

/**
 * Builds the request body that updates a connection. An empty key field leaves the stored key, and unchanged rules are omitted.
 * Only the limits can change on a connection set by the environment.
 */
export function changesOf(draft: ConnectionDraft, stored: ModelConnection) {
  const { api_key, model_ids = [], one_at_a_time: _, first_token_seconds: __, ...body } = bodyOf(draft)
  const firstToken = limitOf(draft.firstToken)
  const isRenamed = model_ids.join('\n') !== stored.model_ids.join('\n')
  const [newKey, requests, tokens] = [draft.newKey.trim(), limitOf(draft.requests), limitOf(draft.tokens)]
  const limits = {
    ...(requests !== stored.requests_per_minute && { requests_per_minute: requests }),
    ...(tokens !== stored.tokens_per_minute && { tokens_per_minute: tokens }),
    ...(takesOneAtATime(draft) !== stored.one_at_a_time && { one_at_a_time: takesOneAtATime(draft) }),
    ...(firstToken !== stored.first_token_seconds && { first_token_seconds: firstToken }),
  }
  if (stored.source === 'environment') return limits
  return {
    ...body,
    ...limits,
    ...(isRenamed && { model_ids }),
    ...(api_key !== null && { api_key }),
    ...(newKey !== '' && { add_keys: [newKey] }),
    ...(draft.removedKeys.length > 0 && { remove_keys: [...draft.removedKeys] }),
  }
}

/** Parses a typed limit, with or without thousands separators. Returns null when empty, NaN unless it is a whole number above 0. */
function limitOf(typed: string): number | null {
  const digits = typed.replace(/[\s,.](?=\d{3}\b)/g, '').trim()
  if (digits === '') return null
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : Number.NaN
}

/**
 * Returns how a draft can be tested: as typed, as stored when neither address nor key changed, or not at all without the key.
 * A stored key is never sent to an address other than its own.
 */
export function testKindOf(
  draft: ConnectionDraft,
  stored: ModelConnection | null,
): 'draft' | 'stored' | 'key_needed' {
  if (!stored || draft.apiKey.trim() !== '' || !stored.has_key) return 'draft'
  const before = draftOf(stored, draft.form)
  const placeOf = (one: ConnectionDraft) => JSON.stringify([one.baseUrl.trim(), detailsOf(one)])
  return draft.form.kind === stored.kind && placeOf(draft) === placeOf(before) ? 'stored' : 'key_needed'
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
