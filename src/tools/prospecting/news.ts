import type { FactSource } from '#shared/tools/prospecting/prospecting.ts'
import type { ToolContext } from '#shared/tools/tools/tool.ts'

/** News about a company: one item, and the challenges that occur in everything found. */
export type News = { actualites: string | null; enjeux: string[]; sources: FactSource[] }

/** Maximum characters of a news item. */
const MAX_NEWS_CHARACTERS = 240

/** Challenges of companies, with the words that indicate them. */
const themes: readonly [name: string, words: RegExp][] = [
  ['Investissement', /investi|nouvelle (?:usine|ligne)|extension|modernis/i],
  ['Recrutement', /recrut|embauch|pénurie de main/i],
  ['Énergie et climat', /énerg|décarbon|carbone|climat|photovolta|CSRD|\bRSE\b/i],
  ['Acquisition', /acqui[es]|rachat|rachèt|fusion|reprise/i],
  ['International', /export|international|étranger/i],
  ['Numérique', /numérique|digital|logiciel|cyber|intelligence artificielle|\bERP\b/i],
  [
    'Réorganisation',
    /réorganis|restructur|plan social|licenci|redressement|nouveau directeur|nouvelle directrice/i,
  ],
]

/** Searches the web for a company. Returns nothing if nothing was found or no engine answered. */
export async function findNews({ web }: Pick<ToolContext, 'web'>, name: string): Promise<News> {
  const found = await web.search({ query: `${name} actualités`, time_range: 'year' }).catch(() => null)
  // Pages that do not name it are about another company.
  const hits = (found?.hits ?? []).filter(({ title, snippet }) => names(`${title} ${snippet}`, name))
  const [first] = hits
  const enjeux = themes.flatMap(([theme, words]) => {
    const hit = hits.find(({ title, snippet }) => words.test(`${title} ${snippet}`))
    return hit ? [{ theme, hit }] : []
  })
  return {
    actualites: first ? (first.snippet || first.title).slice(0, MAX_NEWS_CHARACTERS).toWellFormed() : null,
    enjeux: enjeux.map(({ theme }) => theme),
    sources: [
      ...(first ? [{ fact: 'actualites', name: first.title, url: first.url }] : []),
      ...enjeux.map(({ theme, hit }) => ({ fact: theme, name: hit.title, url: hit.url })),
    ],
  }
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Returns whether a text names a company, apart from its legal form. */
function names(text: string, name: string): boolean {
  const words = plain(name)
    .replace(/\([^()]*\)|\b(?:sas|sarl|sa|sasu|eurl|sci|snc)\b/g, ' ')
    .match(/[\p{L}\p{N}]{2,}/gu)
  const said = plain(text)
  return words?.every((word) => said.includes(word)) ?? false
}
