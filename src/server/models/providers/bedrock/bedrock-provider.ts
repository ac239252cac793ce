import { workOfModel } from '../../models/listing/work-of-model.ts'
import type { ProviderRecord } from '../../models/provider/provider.ts'
import { reachBedrock, showBedrock } from './bedrock-address.ts'
import { BEDROCK_EMBEDDINGS, bedrockEmbeddings } from './bedrock-embeddings.ts'
import { bedrockForm } from './bedrock-form.ts'
import { listBedrock } from './list-bedrock.ts'
import { signRequest } from './sign-request.ts'
import { probeBedrock, streamBedrock } from './stream-bedrock.ts'

/** Amazon Bedrock. Signs with an access key or the role of the machine, or sends an API key. */
const bedrock: ProviderRecord = {
  place: 6,
  form: bedrockForm,
  address: { usual: null, version: null, reach: reachBedrock, show: showBedrock },
  sign: signRequest,
  chat: streamBedrock,
  calls: { ids: 'anthropic', maxTools: Number.POSITIVE_INFINITY },
  listing: {
    list: listBedrock,
    ...{ pages: [], headers: () => ({}) },
    does: (id) => (/canvas|reel|sonic|stability\.|titan-image/i.test(id) ? null : workOfModel(id)),
    isCallable: () => true,
    mayForbid: true,
    probe: probeBedrock,
  },
  embeddings: { wire: bedrockEmbeddings, known: () => BEDROCK_EMBEDDINGS },
  images: null,
  speech: null,
  prices: () => ({ providerId: 'aws' }),
}
export default bedrock
