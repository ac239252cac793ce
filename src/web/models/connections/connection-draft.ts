import type { ConnectionKind, ModelConnection } from '#shared/models/connections/connections.ts'

/** Form state of the connection dialog. */
export type ConnectionDraft = {
  kind: ConnectionKind
  name: string
  baseUrl: string
  apiKey: string
  /** Additional key; calls rotate through all keys. */
  newKey: string
  removedKeys: readonly string[]
  /** Limits per minute, as typed; empty means no limit. */
  requests: string
  tokens: string
}

type DraftProblem =
  | 'name_missing'
  | 'name_too_long'
  | 'url_missing'
  | 'url_wrong'
  | 'key_missing'
  | 'limit_wrong'
export type DraftProblems = Partial<
  Record<'name' | 'baseUrl' | 'apiKey' | 'requests' | 'tokens', DraftProblem>
>

const noRules = { newKey: '', removedKeys: [], requests: '', tokens: '' }

type Provider = { kind: ConnectionKind; name: string; defaultUrl: string; needsKey: boolean }

/** Connection kinds in display order, each with its default address. */
export const providers: readonly Provider[] = [
  { kind: 'openai', name: 'OpenAI', defaultUrl: 'https://api.openai.com/v1', needsKey: true },
  { kind: 'anthropic', name: 'Anthropic', defaultUrl: 'https://api.anthropic.com', needsKey: true },
  { kind: 'google', name: 'Google', defaultUrl: 'https://generativelanguage.googleapis.com', needsKey: true },
  { kind: 'cohere', name: 'Cohere', defaultUrl: 'https://api.cohere.com', needsKey: true },
  { kind: 'compatible', name: '', defaultUrl: '', needsKey: false },
]

/** Returns an empty draft of a kind, named after the provider if it is known. */
export function newDraft(kind: ConnectionKind): ConnectionDraft {
  return { kind, name: providerOf(kind).name, baseUrl: '', apiKey: '', ...noRules }
}

/** Returns the draft for editing a stored connection. Its key is never sent to the browser. */
export function draftOf(connection: ModelConnection): ConnectionDraft {
  const { kind, name, base_url, requests_per_minute, tokens_per_minute } = connection
  const limits = { requests: String(requests_per_minute ?? ''), tokens: String(tokens_per_minute ?? '') }
  return { ...noRules, ...limits, kind, name, baseUrl: base_url ?? '', apiKey: '' }
}

/** Changes the kind. The name follows unless the user has edited it. */
export function changeKind(draft: ConnectionDraft, kind: ConnectionKind): ConnectionDraft {
  const isUntouched = draft.name.trim() === '' || draft.name === providerOf(draft.kind).name
  return { ...draft, kind, name: isUntouched ? providerOf(kind).name : draft.name }
}

/** Validates a draft. `hasKey`: a key is already stored, so the field may stay empty. */
export function checkDraft(draft: ConnectionDraft, hasKey: boolean): DraftProblems {
  const problems: DraftProblems = {}
  const name = draft.name.trim()
  if (name === '') problems.name = 'name_missing'
  else if (name.length > 60) problems.name = 'name_too_long'
  const url = draft.baseUrl.trim()
  if (url === '' && draft.kind === 'compatible') problems.baseUrl = 'url_missing'
  else if (url !== '' && !isHttpUrl(url)) problems.baseUrl = 'url_wrong'
  if (Number.isNaN(limitOf(draft.requests) ?? 0)) problems.requests = 'limit_wrong'
  if (Number.isNaN(limitOf(draft.tokens) ?? 0)) problems.tokens = 'limit_wrong'
  const needsKey = providerOf(draft.kind).needsKey
  if (needsKey && !hasKey && draft.apiKey.trim() === '') problems.apiKey = 'key_missing'
  return problems
}

/** Builds the request body that connects or tests a draft. */
export function bodyOf(draft: ConnectionDraft) {
  return {
    name: draft.name.trim(),
    kind: draft.kind,
    base_url: draft.baseUrl.trim() || null,
    api_key: draft.apiKey.trim() || null,
  }
}

/**
 * Builds the request body that updates a connection. An empty key field leaves the stored key, and unchanged rules are omitted.
 * Only the limits can change on a connection set by the environment.
 */
export function changesOf(draft: ConnectionDraft, stored: ModelConnection) {
  const { api_key, ...body } = bodyOf(draft)
  const [newKey, requests, tokens] = [draft.newKey.trim(), limitOf(draft.requests), limitOf(draft.tokens)]
  const limits = {
    ...(requests !== stored.requests_per_minute && { requests_per_minute: requests }),
    ...(tokens !== stored.tokens_per_minute && { tokens_per_minute: tokens }),
  }
  if (stored.source === 'environment') return limits
  return {
    ...body,
    ...limits,
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
  const isSame = draft.kind === stored.kind && draft.baseUrl.trim() === (stored.base_url ?? '')
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
