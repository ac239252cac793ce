import { getJson } from '../../models/listing/get-json.ts'
import type { ListedModel } from '../../models/listing/listed-model.ts'
import { ModelError } from '../../models/port.ts'
import type { Endpoint } from '../../models/wire/dialect.ts'
import { sentenceFor } from '../../models/wire/failures.ts'
import { googleHeaders } from '../google/google-headers.ts'
import { listBase } from './vertex-address.ts'
import { workOfVertexModel } from './work-of-vertex-model.ts'

const MAX_PAGES = 20

/**
 * Lists the models that Google publishes. Other publishers' models are enabled one by one, and no list says which are.
 * @throws ModelError, `wrong_address` for API keys, which cannot list models
 */
export async function listVertex(endpoint: Endpoint): Promise<ListedModel[]> {
  if (endpoint.key_header !== 'authorization')
    throw new ModelError('wrong_address', sentenceFor('wrong_address', endpoint.base_url))
  const project = /\/projects\/([^/]+)/.exec(endpoint.base_url)?.[1]
  const headers = { ...googleHeaders(endpoint), ...(project && { 'x-goog-user-project': project }) }
  const found: ListedModel[] = []
  let token = ''
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = `pageSize=200${token && `&pageToken=${encodeURIComponent(token)}`}`
    const answer = await getJson(`${listBase(endpoint.base_url)}/publishers/google/models?${query}`, headers)
    const listed = Array.isArray(answer.publisherModels) ? answer.publisherModels : []
    found.push(...listed.flatMap((item: { name?: unknown } | null) => describe(item?.name)))
    if (typeof answer.nextPageToken !== 'string' || answer.nextPageToken === '') break
    token = answer.nextPageToken
  }
  return found
}

function describe(name: unknown): ListedModel[] {
  const id = String(name ?? '').replace(/^publishers\/google\/models\//, '')
  const does = workOfVertexModel(id)
  // The list is that of the whole Model Garden, including research models that are not served.
  if (!does || !/^gemini-|^imagen-|embedding/.test(id)) return []
  const unknown = { context_tokens: null, max_output_tokens: null, input_price: null, output_price: null }
  return [{ id, name: id, does, ...unknown, lacks: [] }]
}
