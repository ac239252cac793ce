import type { ConnectionKind, Entra, ModelConnection } from '#shared/models/connections/connections.ts'
import { usuallyHasOneSlot } from '#shared/models/connections/one-slot.ts'
import { type Preset, presetOf } from './fields/presets.ts'

/** Form state of the connection dialog. */
export type ConnectionDraft = {
  kind: ConnectionKind
  name: string
  baseUrl: string
  /** The key; the secret of the application when Entra ID signs in. */
  apiKey: string
  /** Model ids typed by hand, one per line. */
  modelIds: string
  /** Azure only, as the two that follow. */
  apiVersion: string
  usesEntra: boolean
  tenantId: string
  clientId: string
  authority: string
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
  | 'id_wrong'
  | 'model_ids_missing'
export type DraftProblems = Partial<
  Record<
    | 'name'
    | 'baseUrl'
    | 'apiKey'
    | 'modelIds'
    | 'tenantId'
    | 'clientId'
    | 'authority'
    | 'requests'
    | 'tokens'
    | 'firstToken',
    DraftProblem
  >
>

const noDetails = {
  ...{ modelIds: '', apiVersion: '', usesEntra: false, tenantId: '', clientId: '', authority: '' },
}
const noRules = {
  ...{ newKey: '', removedKeys: [], requests: '', tokens: '' },
  ...{ oneAtATime: null, firstToken: '' },
}

type Provider = {
  kind: ConnectionKind
  name: string
  /** The default address, or one of the shape that is needed. */
  exampleUrl: string
  urlHint: 'url_default' | 'url_azure' | 'url_hint'
  wants: 'kind_key' | 'kind_both' | 'kind_url'
  needsKey: boolean
}

const known = { urlHint: 'url_default', wants: 'kind_key', needsKey: true } as const

/** Connection kinds in display order. */
export const providers: readonly Provider[] = [
  { ...known, kind: 'openai', name: 'OpenAI', exampleUrl: 'https://api.openai.com/v1' },
  { ...known, kind: 'anthropic', name: 'Anthropic', exampleUrl: 'https://api.anthropic.com' },
  { ...known, kind: 'google', name: 'Google', exampleUrl: 'https://generativelanguage.googleapis.com' },
  { ...known, kind: 'cohere', name: 'Cohere', exampleUrl: 'https://api.cohere.com' },
  {
    ...{ kind: 'azure', name: 'Azure OpenAI', wants: 'kind_both', needsKey: true },
    ...{ exampleUrl: 'https://my-resource.openai.azure.com', urlHint: 'url_azure' },
  },
  {
    ...{ kind: 'compatible', name: '', wants: 'kind_url', needsKey: false },
    ...{ exampleUrl: 'http://127.0.0.1:11434/v1', urlHint: 'url_hint' },
  },
]

/** Returns an empty draft of a kind, named after the provider if it is known. */
export function newDraft(kind: ConnectionKind): ConnectionDraft {
  return { kind, name: providerOf(kind).name, baseUrl: '', apiKey: '', ...noDetails, ...noRules }
}

/** Returns the draft for editing a stored connection. Its key is never sent to the browser. */
export function draftOf(connection: ModelConnection): ConnectionDraft {
  const { kind, name, base_url, requests_per_minute, tokens_per_minute } = connection
  const limits = { requests: String(requests_per_minute ?? ''), tokens: String(tokens_per_minute ?? '') }
  const { model_ids, api_version, entra, one_at_a_time, first_token_seconds } = connection
  const server = { oneAtATime: one_at_a_time, firstToken: String(first_token_seconds ?? '') }
  const details = {
    modelIds: model_ids.join('\n'),
    apiVersion: api_version ?? '',
    usesEntra: entra !== null,
    tenantId: entra?.tenant_id ?? '',
    clientId: entra?.client_id ?? '',
    authority: entra?.authority ?? '',
  }
  return { ...noRules, ...limits, ...details, ...server, kind, name, baseUrl: base_url ?? '', apiKey: '' }
}

/** Changes the kind. Name and address follow unless the user has edited them. */
export function changeKind(draft: ConnectionDraft, kind: ConnectionKind): ConnectionDraft {
  const { baseUrl } = draft
  const name = hasOwnName(draft) ? draft.name : providerOf(kind).name
  return { ...draft, kind, name, baseUrl: presetOf(draft) ? '' : baseUrl }
}

/** Fills in the address of a known server. The name follows unless the user has edited it. */
export function choosePreset(draft: ConnectionDraft, { name, baseUrl }: Preset): ConnectionDraft {
  return { ...draft, kind: 'compatible', baseUrl, name: hasOwnName(draft) ? draft.name : name }
}

function hasOwnName(draft: ConnectionDraft): boolean {
  const given = ['', providerOf(draft.kind).name, presetOf(draft)?.name]
  return !given.includes(draft.name.trim())
}

/** Validates a draft. `hasKey`: a key is already stored, so the field may stay empty. */
export function checkDraft(draft: ConnectionDraft, hasKey: boolean): DraftProblems {
  const problems: DraftProblems = {}
  const name = draft.name.trim()
  if (name === '') problems.name = 'name_missing'
  else if (name.length > 60) problems.name = 'name_too_long'
  const url = draft.baseUrl.trim()
  if (url === '' && needsUrl(draft.kind)) problems.baseUrl = 'url_missing'
  else if (url !== '' && !isHttpUrl(url)) problems.baseUrl = 'url_wrong'
  if (Number.isNaN(limitOf(draft.requests) ?? 0)) problems.requests = 'limit_wrong'
  if (Number.isNaN(limitOf(draft.tokens) ?? 0)) problems.tokens = 'limit_wrong'
  if (!isPatience(limitOf(draft.firstToken))) problems.firstToken = 'seconds_wrong'
  if (needsKey(draft) && !hasKey && draft.apiKey.trim() === '')
    problems.apiKey = draft.usesEntra ? 'secret_missing' : 'key_missing'
  return draft.kind === 'azure' ? { ...problems, ...checkAzure(draft, url) } : problems
}

/** The address of a deployment names it. */
function checkAzure(draft: ConnectionDraft, url: string): DraftProblems {
  const problems: DraftProblems = {}
  if (modelIdsOf(draft).length === 0 && !url.includes('/deployments/'))
    problems.modelIds = 'model_ids_missing'
  if (!draft.usesEntra) return problems
  const isId = (typed: string) => /^[\w.-]{1,100}$/.test(typed.trim())
  if (!isId(draft.tenantId)) problems.tenantId = 'id_wrong'
  if (!isId(draft.clientId)) problems.clientId = 'id_wrong'
  const authority = draft.authority.trim()
  if (authority !== '' && !isHttpUrl(authority)) problems.authority = 'url_wrong'
  return problems
}

/** Whether a connection of this kind has no address of its own. */
export const needsUrl = (kind: ConnectionKind): boolean => kind === 'compatible' || kind === 'azure'

/** Whether models may be typed by hand: the lists of the providers themselves are complete. */
export function takesModelIds({ kind, baseUrl }: ConnectionDraft): boolean {
  return needsUrl(kind) || (['openai', 'anthropic'].includes(kind) && baseUrl.trim() !== '')
}

/** Whether a draft cannot do without a key. */
export function needsKey(draft: ConnectionDraft): boolean {
  return presetOf(draft)?.needsKey ?? providerOf(draft.kind).needsKey
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
    kind: draft.kind,
    base_url: draft.baseUrl.trim() || null,
    api_key: draft.apiKey.trim() || null,
    ...(model_ids.length > 0 && { model_ids }),
    ...(draft.oneAtATime !== null && { one_at_a_time: draft.oneAtATime }),
    ...(draft.firstToken.trim() !== '' && { first_token_seconds: limitOf(draft.firstToken) }),
    ...(draft.kind === 'azure' && { api_version: draft.apiVersion.trim() || null, entra: entraOf(draft) }),
  }
}

/** Whether requests of a draft wait for each other: as chosen, otherwise as servers at its address usually do. */
export const takesOneAtATime = ({ kind, baseUrl, oneAtATime }: ConnectionDraft): boolean =>
  oneAtATime ?? (kind === 'compatible' && usuallyHasOneSlot(baseUrl.trim()))

/** What the server accepts as the limit of the first token. */
const isPatience = (seconds: number | null) => seconds === null || (seconds >= 10 && seconds <= 86_400)

function entraOf({ usesEntra, tenantId, clientId, authority }: ConnectionDraft): Entra | null {
  if (!usesEntra) return null
  return { tenant_id: tenantId.trim(), client_id: clientId.trim(), authority: authority.trim() || null }
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
  const before = draftOf(stored)
  const places = ['kind', 'apiVersion', 'usesEntra', 'tenantId', 'clientId', 'authority'] as const
  const isSame = draft.baseUrl.trim() === before.baseUrl && places.every((one) => draft[one] === before[one])
  return isSame ? 'stored' : 'key_needed'
}

/** Returns the name and required fields of a provider. */
export function providerOf(kind: ConnectionKind): Provider {
  const provider = providers.find((each) => each.kind === kind)
  if (!provider) throw new Error(`No provider of kind ${kind}`)
  return provider
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
