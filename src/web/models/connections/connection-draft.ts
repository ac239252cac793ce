import type { ConnectionKind, ModelConnection } from '#shared/models/connections/connections.ts'

/** What the dialog holds while a connection is written down. */
export type ConnectionDraft = {
  kind: ConnectionKind
  name: string
  baseUrl: string
  apiKey: string
  /** A further key that calls take turns with. */
  newKey: string
  removedKeys: readonly string[]
  /** Of any minute, as they are typed; empty is no limit. */
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

/** The kinds of a connection in the order they are offered, with the address each has by itself. */
export const providers: readonly Provider[] = [
  { kind: 'openai', name: 'OpenAI', defaultUrl: 'https://api.openai.com/v1', needsKey: true },
  { kind: 'anthropic', name: 'Anthropic', defaultUrl: 'https://api.anthropic.com', needsKey: true },
  { kind: 'google', name: 'Google', defaultUrl: 'https://generativelanguage.googleapis.com', needsKey: true },
  { kind: 'cohere', name: 'Cohere', defaultUrl: 'https://api.cohere.com', needsKey: true },
  { kind: 'compatible', name: '', defaultUrl: '', needsKey: false },
]

/** An empty draft of a kind; a known provider brings its name. */
export function newDraft(kind: ConnectionKind): ConnectionDraft {
  return { kind, name: providerOf(kind).name, baseUrl: '', apiKey: '', ...noRules }
}

/** The draft for changing a stored connection. Its key is never known here. */
export function draftOf(connection: ModelConnection): ConnectionDraft {
  const { kind, name, base_url, requests_per_minute, tokens_per_minute } = connection
  const limits = { requests: String(requests_per_minute ?? ''), tokens: String(tokens_per_minute ?? '') }
  return { ...noRules, ...limits, kind, name, baseUrl: base_url ?? '', apiKey: '' }
}

/** Changes the kind; a name the person has not touched follows. */
export function changeKind(draft: ConnectionDraft, kind: ConnectionKind): ConnectionDraft {
  const isUntouched = draft.name.trim() === '' || draft.name === providerOf(draft.kind).name
  return { ...draft, kind, name: isUntouched ? providerOf(kind).name : draft.name }
}

/** What is wrong with a draft. `hasKey` tells that a key is stored already and may stay. */
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

/** The body that connects or tests a draft. */
export function bodyOf(draft: ConnectionDraft) {
  return {
    name: draft.name.trim(),
    kind: draft.kind,
    base_url: draft.baseUrl.trim() || null,
    api_key: draft.apiKey.trim() || null,
  }
}

/**
 * The body that changes a connection: an empty key field keeps the key, and rules that stay are not told. Of one that the environment sets the limits
 * alone can be changed.
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

/** A limit as it is typed, thousands apart or not; null where there is none, NaN for what is no whole number above 0. */
function limitOf(typed: string): number | null {
  const digits = typed.replace(/[\s,.](?=\d{3}\b)/g, '').trim()
  if (digits === '') return null
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : Number.NaN
}

/**
 * How a draft can be tested: as written down; as stored, when neither address nor key changed;
 * or not without the key, which is never sent to another address than it was given for.
 */
export function testKindOf(
  draft: ConnectionDraft,
  stored: ModelConnection | null,
): 'draft' | 'stored' | 'key_needed' {
  if (!stored || draft.apiKey.trim() !== '' || !stored.has_key) return 'draft'
  const isSame = draft.kind === stored.kind && draft.baseUrl.trim() === (stored.base_url ?? '')
  return isSame ? 'stored' : 'key_needed'
}

/** What a provider is called and needs. */
export function providerOf(kind: ConnectionKind): Provider {
  const provider = providers.find((each) => each.kind === kind)
  if (!provider) throw new Error(`No provider of kind ${kind}`)
  return provider
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
