import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ChangingFront = {
  url: string
  /** Leaves the page and its files without an answer. */
  holdFiles: (isHeld: boolean) => void
  /** Serves the page as another version: its entry script has another name, and the named files are gone. */
  release: (version: string, gone?: RegExp) => void
  close: () => Promise<void>
}

/** Starts a server in front of the product, which can be slow and can serve the page as another version. */
export async function startChangingFront(target: () => string): Promise<ChangingFront> {
  let isHeld = false
  let version: string | null = null
  let missing: RegExp | null = null
  const server = createServer((asked, answer) => {
    const path = asked.url ?? '/'
    const isFile = !path.startsWith('/api/') && asked.method === 'GET'
    if (isHeld && isFile) return
    if (missing?.test(path)) return void answer.writeHead(404).end()
    const { hostname, port } = new URL(target())
    const isPage = isFile && /text\/html|^\*\/\*$/.test(asked.headers.accept ?? '*/*') && !/\.\w+$/.test(path)
    const headers = { ...asked.headers, ...(isPage && version ? { 'accept-encoding': 'identity' } : {}) }
    const realPath = path.replace(/-version\w+\.js/, '.js')
    const passed = request({ hostname, port, path: realPath, method: asked.method, headers }, (response) => {
      if (!isPage || !version || !response.headers['content-type']?.includes('text/html')) {
        answer.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(answer)
        return
      }
      let html = ''
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        html += text
      })
      response.on('end', () => {
        const { 'content-length': _, ...kept } = response.headers
        answer.writeHead(200, kept)
        answer.end(html.replace(/(<script[^>]+src="[^"]+)\.js"/, `$1-version${version}.js"`))
      })
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    holdFiles: (held) => {
      isHeld = held
    },
    release: (name, gone) => {
      version = name
      missing = gone ?? null
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
