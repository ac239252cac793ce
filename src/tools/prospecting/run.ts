import * as z from 'zod'
import { type Company, InternalData, type Prospect } from '#shared/tools/prospecting/prospecting.ts'
import type { ToolContext, ToolRun } from '#shared/tools/tools/tool.ts'
import type prospecting from './contract.ts'
import { findNews } from './news.ts'
import { findCompanies, type Registered } from './register.ts'
import { scoreOf } from './score.ts'
import { writeTouchPoints } from './touch-points.ts'

const REGISTER = 'register'

/** Finds companies, asks which to select, lists the people who lead them, and asks to confirm the list. */
const run: ToolRun<typeof prospecting> = async (input, context) => {
  const { phase, step, ask } = context
  const wish = {
    query: input.query,
    place: input.place ?? '',
    companies: input.companies,
    contacts: input.contacts,
  }
  const registered = await step(REGISTER, async () => {
    phase('company_analysis', 'started')
    return findCompanies(context, wish)
  })
  const analyzed: Company[] = []
  for (const [at, one] of registered.entries())
    analyzed.push(await step(`company:${at + 1}`, () => analyze(context, one)))
  const companies = analyzed.toSorted((a, b) => b.score - a.score)
  await step('companies', async () => phase('company_analysis', 'completed', { companies }))
  if (companies.length === 0) return { prospects: [], all_analyzed_companies: [] }

  const list = companies.map(({ société }, at) => `${at + 1}. ${société}`).join('\n')
  const chosen = await ask('selection', {
    prompt: `${texts[context.language].choose}\n\n${list}`,
    input_types: ['text'],
  })
  if (isNo(String(chosen.input))) return { prospects: [], all_analyzed_companies: companies }
  const selected = readSelection(String(chosen.input), companies)
  await step('preview', async () =>
    phase('preview', 'started', { selected: selected.map(({ société }) => société) }),
  )
  const prospects: Prospect[] = []
  for (const company of selected)
    for (const contact of company.prospects)
      prospects.push(
        await step(`prospect:${prospects.length + 1}`, async () => {
          const touchPoints = await writeTouchPoints(context, { company, contact, offer: input.offer ?? '' })
          return {
            ...{ société: company.société, enjeux: company.enjeux.join(', '), ...contact },
            // No source here has these, and nothing is guessed.
            ...{ linkedin: null, mail: null, numéro: null },
            ...{ 'actus/enjeux prospect': company.actualites, ...touchPoints },
          }
        }),
      )
  await step('listed', async () => phase('preview', 'completed', { prospects }))
  const confirmed = await ask('confirmation', {
    prompt: texts[context.language].confirm(prospects.length),
    input_types: ['text'],
  })
  if (!isYes(String(confirmed.input))) return { prospects: [], all_analyzed_companies: companies }
  const result = { prospects, all_analyzed_companies: companies }
  await step('result', async () => phase('final_result', 'completed', result))
  return result
}

export default run

/** Collects news about a company, internal data and its score. */
async function analyze(context: ToolContext, registered: Registered): Promise<Company> {
  const { actualites, enjeux, sources } = await findNews(context, registered.company.société)
  const shake_info = await readInternal(context, registered.siren)
  const own = registered.company.sources
  const company = { ...registered.company, actualites, enjeux, shake_info, sources: [...own, ...sources] }
  return { ...company, score: scoreOf({ ...registered, company }) }
}

const Internal = z.object(InternalData.shape)

/** Returns the data of the configured internal service; empty if there is none or it does not answer. */
async function readInternal({ fetch, settings }: ToolContext, siren: string): Promise<Company['shake_info']> {
  const address = settings.COMPANY_INTERNAL_URL
  if (!address) return null
  const url = new URL(address)
  url.searchParams.set('siren', siren)
  const answer = await fetch(url.href).catch(() => null)
  return answer?.ok ? (Internal.safeParse(await answer.json()).data ?? null) : null
}

/** Returns the companies named by position, from 1, separated by commas; all of them if none is named. */
export function readSelection(answer: string, companies: readonly Company[]): Company[] {
  const places = new Set((answer.match(/\d+/g) ?? []).map(Number))
  const chosen = companies.filter((_, at) => places.has(at + 1))
  return chosen.length > 0 ? chosen : [...companies]
}

const isNo = (answer: string) => /^(?:no|non|n)\s*[.!]?$/i.test(answer.trim())
const isYes = (answer: string) => /^(?:yes|oui|y|o)\s*[.!]?$/i.test(answer.trim())

const texts = {
  en: {
    choose: 'Which companies count? Give their numbers, separated by commas.',
    confirm: (count: number) => `Are these ${count} prospects right? Answer yes or no.`,
  },
  fr: {
    choose: 'Quelles entreprises retenir ? Indiquez leurs numéros, séparés par des virgules.',
    confirm: (count: number) => `Valider ces ${count} prospects ? Répondez par oui ou par non.`,
  },
}
