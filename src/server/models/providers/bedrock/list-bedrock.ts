import * as z from 'zod'
import { getJson } from '../../models/listing/get-json.ts'
import type { ListedModel } from '../../models/listing/listed-model.ts'
import { ModelError } from '../../models/port.ts'
import type { Endpoint } from '../../models/wire/dialect.ts'
import { sentenceFor } from '../../models/wire/failures.ts'
import { controlBase } from './bedrock-address.ts'
import { signHeaders } from './sign-request.ts'

const MAX_PAGES = 20

const Summary = z.object({
  modelArn: z.string(),
  modelId: z.string(),
  modelName: z.string().nullish(),
  inputModalities: z.array(z.string()).nullish(),
  outputModalities: z.array(z.string()).nullish(),
  inferenceTypesSupported: z.array(z.string()).nullish(),
  responseStreamingSupported: z.boolean().nullish(),
})
type Summary = z.infer<typeof Summary>

const Profile = z.object({
  inferenceProfileId: z.string(),
  inferenceProfileName: z.string().nullish(),
  status: z.string().nullish(),
  models: z.array(z.object({ modelArn: z.string().nullish() })).nullish(),
})

/**
 * Lists models that are called by their own ids, and models that a region serves through inference profiles only, by profile id.
 * @throws ModelError
 */
export async function listBedrock(endpoint: Endpoint): Promise<ListedModel[]> {
  const base = controlBase(endpoint.base_url)
  const models = readGood(Summary, (await ask(endpoint, `${base}/foundation-models`)).modelSummaries)
  const byArn = new Map(models.map((model) => [nameOf(model.modelArn), model]))
  const direct = models
    .filter(({ inferenceTypesSupported }) => inferenceTypesSupported?.includes('ON_DEMAND'))
    .flatMap((model) => describe(model, model.modelId, model.modelName))
  const profiles = (await listProfiles(endpoint, base)).flatMap((profile) => {
    const found = profile.models?.map(({ modelArn }) => byArn.get(nameOf(modelArn ?? ''))).find(Boolean)
    return found ? describe(found, profile.inferenceProfileId, profile.inferenceProfileName) : []
  })
  return [...profiles, ...direct]
}

/** A key may lack the right to list profiles; models that need one are then typed by hand. */
async function listProfiles(endpoint: Endpoint, base: string): Promise<z.infer<typeof Profile>[]> {
  const found: z.infer<typeof Profile>[] = []
  let token = ''
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = `maxResults=1000&type=SYSTEM_DEFINED${token && `&nextToken=${encodeURIComponent(token)}`}`
    const answer = await ask(endpoint, `${base}/inference-profiles?${query}`).catch((error: unknown) => {
      if (error instanceof ModelError && error.status !== undefined) return null
      throw error
    })
    found.push(...readGood(Profile, answer?.inferenceProfileSummaries))
    if (typeof answer?.nextToken !== 'string' || answer.nextToken === '') break
    token = answer.nextToken
  }
  return found.filter(({ status }) => (status ?? 'ACTIVE') === 'ACTIVE')
}

async function ask(endpoint: Endpoint, url: string): Promise<Record<string, unknown>> {
  const answer = await getJson(url, await signHeaders({ url, method: 'GET' }, endpoint))
  if (!('modelSummaries' in answer || 'inferenceProfileSummaries' in answer))
    throw new ModelError('wrong_address', sentenceFor('wrong_address', endpoint.base_url))
  return answer
}

/** Returns the valid entries, so that one malformed entry does not hide the others. */
function readGood<Entry extends z.ZodType>(schema: Entry, list: unknown): z.infer<Entry>[] {
  return (Array.isArray(list) ? list : []).flatMap((entry) => {
    const read = schema.safeParse(entry)
    return read.success ? [read.data] : []
  })
}

/** A profile names its models by the ARNs of other regions. */
const nameOf = (arn: string) => arn.slice(arn.lastIndexOf('/') + 1)

function describe(model: Summary, id: string, name: string | null | undefined): ListedModel[] {
  const { outputModalities: makes, inputModalities: reads } = model
  const isChat = makes?.includes('TEXT') && model.responseStreamingSupported !== false
  const does = makes?.includes('EMBEDDING') ? 'embed' : isChat ? 'chat' : null
  if (!does || (does === 'chat' && /rerank/i.test(id))) return []
  const isBlind = reads ? !reads.includes('IMAGE') : false
  return [
    {
      ...{ id, name: name || id, does },
      ...{ context_tokens: null, max_output_tokens: null, input_price: null, output_price: null },
      lacks: isBlind ? [{ name: 'no_images' }] : [],
    },
  ]
}
