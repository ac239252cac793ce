import type { ConnectionKind, ModelConnection } from '#shared/connections/connections.ts'

/** What the dialog holds while a connection is written down. */
export type ConnectionDraft = { kind: ConnectionKind; name: string; baseUrl: string; apiKey: string }

type DraftProblem = 'name_missing' | 'name_too_long' | 'url_missing' | 'url_wrong' | 'key_missing'
export type DraftProblems = { name?: DraftProblem; baseUrl?: DraftProblem; apiKey?: DraftProblem }

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
  return { kind, name: providerOf(kind).name, baseUrl: '', apiKey: '' }
}

/** The draft for changing a stored connection. Its key is never known here. */
export function draftOf(connection: ModelConnection): ConnectionDraft {
  return { kind: connection.kind, name: connection.name, baseUrl: connection.base_url ?? '', apiKey: '' }
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

/** The body that changes a stored connection: an empty key field keeps the key. */
export function changesOf(draft: ConnectionDraft) {
  const { api_key, ...body } = bodyOf(draft)
  return api_key === null ? body : { ...body, api_key }
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
