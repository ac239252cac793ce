import { answeringBase } from './bases.ts'

/**
 * Returns the URL of an operation. Its path goes between the path and the query of the base address that answered. An Azure
 * resource with a dated `api-version` has one path per deployment, named by the model.
 */
export function operationUrl(base_url: string, path: string, model?: string): string {
  return urlAt(answeringBase(base_url), path, model)
}

/** Like `operationUrl`, at exactly this base address. */
export function urlAt(base_url: string, path: string, model?: string): string {
  const [base = '', query] = splitQuery(base_url)
  const [head = '', own] = splitQuery(path)
  const isPerDeployment = model !== undefined && isDatedResource(base, query)
  const place = isPerDeployment ? `${base}/deployments/${encodeURIComponent(model)}` : base
  const queries = [own, query].filter(Boolean).join('&')
  return `${place}${head}${queries && `?${queries}`}`
}

const isDatedResource = (base: string, query: string | undefined) =>
  base.endsWith('/openai') && /(?:^|&)api-version=/.test(query ?? '')

function splitQuery(address: string): [string, string | undefined] {
  const at = address.indexOf('?')
  return at < 0 ? [address, undefined] : [address.slice(0, at), address.slice(at + 1)]
}
