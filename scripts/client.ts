import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit } from 'node:process'
import { type Description, writePaths } from './client/write-paths.ts'

/**
 * `npm run client -- FOLDER [ADDRESS]`: a typed client for programs of your own. It is written from the description this
 * version publishes, or from that of the Atrium at ADDRESS; beside it only `openapi-fetch` is needed.
 */
const [folder, address] = argv.slice(2)
if (!folder) {
  console.error('Say where to write it: npm run client -- FOLDER, and the address of an Atrium if you like.')
  exit(1)
}
const client = `import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './paths.ts'

/** Atrium at an address such as \`https://atrium.example\`, called with an API key of a person. */
export function connect(address: string, apiKey: string): Client<paths> {
  return createClient<paths>({ baseUrl: address, headers: { authorization: \`Bearer \${apiKey}\` } })
}
`

mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'paths.ts'), writePaths(await readDescription(address)))
writeFileSync(join(folder, 'client.ts'), client)
console.log(`${folder} has client.ts and paths.ts. In your own package: npm install openapi-fetch.`)

async function readDescription(at: string | undefined): Promise<Description> {
  if (!at) return JSON.parse(readFileSync(new URL('../docs/api/openapi.json', import.meta.url), 'utf8'))
  const answer = await fetch(new URL('/api/v1/openapi.json', at))
  if (!answer.ok) throw new Error(`${at} answers ${answer.status}.`)
  return (await answer.json()) as Description
}
