import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { argv, exit } from 'node:process'
import { makeFolder } from '../src/server/platform/data-folder.ts'
import { explainFailure, firstLine } from '../src/server/platform/explain-failure.ts'
import { type Description, writePaths } from './client/write-paths.ts'

/**
 * `npm run client -- FOLDER [ADDRESS]`: writes a typed API client from this version's description, or from the Atrium
 * at ADDRESS. The client only depends on `openapi-fetch`.
 */
const [folder, address] = argv.slice(2)
if (!folder) {
  console.error('Say where to write it: npm run client -- FOLDER, and the address of an Atrium if you like.')
  exit(1)
}

class NoDescription extends Error {}

const client = `import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './paths.ts'

/** Atrium at an address such as \`https://atrium.example\`, called with an API key of a person. */
export function connect(address: string, apiKey: string): Client<paths> {
  return createClient<paths>({ baseUrl: address, headers: { authorization: \`Bearer \${apiKey}\` } })
}
`

try {
  const paths = writePaths(await readDescription(address))
  makeFolder(resolve(folder), 0o777)
  writeFileSync(join(folder, 'paths.ts'), paths)
  writeFileSync(join(folder, 'client.ts'), client)
  console.log(`${folder} has client.ts and paths.ts. In your own package: npm install openapi-fetch.`)
} catch (error) {
  console.error(explainFailure('npm run client', error, [NoDescription]))
  exit(1)
}

async function readDescription(at: string | undefined): Promise<Description> {
  if (!at) return JSON.parse(readFileSync(new URL('../docs/api/openapi.json', import.meta.url), 'utf8'))
  if (!URL.canParse(at))
    throw new NoDescription(`${at} is no address: name one such as https://atrium.example.`)
  const answer = await fetch(new URL('/api/v1/openapi.json', at)).catch((error) => {
    throw new NoDescription(`${at} cannot be reached: ${firstLine(error.cause ?? error)}.`)
  })
  if (!answer.ok) throw new NoDescription(`${at} answers ${answer.status}: is an Atrium there?`)
  return (await answer.json().catch(() => {
    throw new NoDescription(`${at} has no description of an API: is an Atrium there?`)
  })) as Description
}
