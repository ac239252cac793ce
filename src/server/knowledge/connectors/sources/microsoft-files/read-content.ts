import type { Readable } from 'node:stream'
import * as z from 'zod'
import { ItemRefused } from '../../define-connector.ts'
import { assertAnswered, bodyOf } from '../../source-requests.ts'
import type { Graph } from './graph-requests.ts'

const SECONDS = 60
const ADDRESS = '@microsoft.graph.downloadUrl'

/** Opens the content of a file. Its address is valid for some minutes by itself, on another host that must not get the token. */
export async function readContent(
  { context, ask }: Graph,
  id: string,
  signal: AbortSignal,
): Promise<Readable> {
  const [library = '', item = ''] = id.split('/')
  const Content = z.object({ [ADDRESS]: z.string().optional() })
  const path = `/drives/${encodeURIComponent(library)}/items/${encodeURIComponent(item)}`
  const url = (await ask(`${path}?$select=id,${ADDRESS}`, Content))[ADDRESS]
  if (!url) throw new ItemRefused('refused', 'The file may not be downloaded.')
  const { outbound, maxBytes, config } = context
  const trusted = config.ATRIUM_TOOLS_PRIVATE
  const answer = await outbound.open(url, { signal, seconds: SECONDS, maxBytes, trusted })
  if (!answer.ok) await answer.body?.cancel()
  const { host } = new URL(url)
  // The address has no sign-in of its own.
  if (answer.status === 401) throw new ItemRefused('refused', `${host} refuses the download.`)
  assertAnswered(host, answer)
  return bodyOf(answer, host)
}
