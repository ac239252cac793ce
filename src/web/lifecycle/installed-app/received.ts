import { RECEIVED } from '../../platform/lib/kept/kept-answers.ts'

/** Returns the text and the files that another app shared. They stay until `forgetReceived`. */
export async function readReceived(): Promise<{ text: string; files: File[] }> {
  if (!('caches' in globalThis) || !(await caches.has(RECEIVED))) return { text: '', files: [] }
  const cache = await caches.open(RECEIVED)
  const text = (await (await cache.match('/received/text'))?.text()) ?? ''
  const files: File[] = []
  for (let at = 0; ; at += 1) {
    const response = await cache.match(`/received/${at}`)
    if (!response) break
    const name = decodeURIComponent(response.headers.get('x-name') ?? '')
    files.push(
      new File([await response.blob()], name || 'file', { type: response.headers.get('content-type') ?? '' }),
    )
  }
  return { text, files }
}
