import { existsSync, readdirSync } from 'node:fs'
import type * as z from 'zod'
import { checkout, codeUrl } from '../process/checkout.ts'
import type { DeclaredSettings } from './declare-settings.ts'

type Declared = DeclaredSettings<Record<string, z.ZodType>>

const folder = new URL('src/server/knowledge/connectors/sources/', checkout)

/** Settings of the folders that declare some. */
const known = await loadDeclared()

/** Names of all declared settings. */
export const declaredNames = known.flatMap(({ shape }) => Object.keys(shape))

/** Pairs of declared settings: the first requires the second. */
export const declaredNeeds = known.flatMap(({ client }) =>
  client.flatMap((name) => client.filter((other) => other !== name).map((other) => [name, other] as const)),
)

/** Returns what is wrong with the given values. */
export const checkDeclared = (given: Record<string, unknown>): z.core.$ZodIssue[] =>
  known.flatMap(({ shape }) =>
    Object.entries(shape).flatMap(([name, schema]) =>
      (schema.safeParse(given[name]).error?.issues ?? []).map((issue) => ({ ...issue, path: [name] })),
    ),
  )

/** Loads one folder after the other, as `known-sources.ts` does. */
async function loadDeclared(): Promise<Declared[]> {
  const loaded: Declared[] = []
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )) {
    const { href } = codeUrl(`src/server/knowledge/connectors/sources/${name}/${name}-settings.ts`)
    if (!existsSync(new URL(href))) continue
    const settings = ((await import(href)) as { default: Declared }).default
    const prefix = `${name.replaceAll('-', '_').toUpperCase()}_`
    const foreign = Object.keys(settings.shape).find((one) => !one.startsWith(prefix))
    if (foreign)
      throw new Error(`The setting ${foreign} of the source ${name} does not begin with ${prefix}.`)
    loaded.push(settings)
  }
  return loaded
}
