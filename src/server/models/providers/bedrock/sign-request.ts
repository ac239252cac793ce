import { Buffer } from 'node:buffer'
import type { Endpoint, WireRequest } from '../../models/wire/dialect.ts'
import { encodeJson } from '../../models/wire/encode-json.ts'
import { readAwsKeys } from './aws-credentials.ts'
import { regionOf } from './bedrock-address.ts'

/** Returns the authorization headers: a signature (AWS Signature Version 4) or the API key. @throws ModelError */
export async function signHeaders(
  { url, method, body }: { url: string; method: 'GET' | 'POST'; body?: Uint8Array<ArrayBuffer> },
  endpoint: Endpoint,
): Promise<Record<string, string>> {
  const keys = await readAwsKeys(endpoint)
  if (!keys) return { authorization: `Bearer ${endpoint.api_key}` }
  const { AwsV4Signer } = await import('aws4fetch')
  const signer = new AwsV4Signer({
    ...{ url, method, service: 'bedrock', region: regionOf(endpoint) },
    ...(body && { body }),
    ...{ accessKeyId: keys.accessKeyId, secretAccessKey: keys.secretAccessKey },
    ...(keys.sessionToken && { sessionToken: keys.sessionToken }),
  })
  const { headers } = await signer.sign()
  return Object.fromEntries(headers)
}

/** Returns the request with its body encoded and signed. @throws ModelError */
export async function signRequest(request: WireRequest, endpoint: Endpoint): Promise<WireRequest> {
  const body = new Uint8Array(Buffer.concat(await encodeJson(request.body)))
  const headers = await signHeaders({ url: request.url, method: 'POST', body }, endpoint)
  return { ...request, headers: { ...request.headers, ...headers } }
}
