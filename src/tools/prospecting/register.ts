import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { Company, Contact } from '#shared/tools/prospecting/prospecting.ts'
import type { ToolContext } from '#shared/tools/tools/tool.ts'
import { addressOfRegister, type RegisterWish } from './register-address.ts'

/** A company of the register with its registration number and revenue growth (0.1 is ten percent). */
export type Registered = { company: Company; siren: string; growth: number | null; sizeRank: number }

/** The fields in use of answers from `recherche-entreprises.api.gouv.fr`. */
const Answer = z.object({
  results: z.array(
    z.object({
      siren: z.string(),
      nom_complet: z.string(),
      section_activite_principale: z.string().nullish(),
      activite_principale: z.string().nullish(),
      tranche_effectif_salarie: z.string().nullish(),
      dirigeants: z
        .array(
          z.object({
            nom: z.string().nullish(),
            prenoms: z.string().nullish(),
            qualite: z.string().nullish(),
            type_dirigeant: z.string().nullish(),
          }),
        )
        .nullish(),
      finances: z.record(z.string(), z.object({ ca: z.number().nullish() })).nullish(),
    }),
  ),
})
type Entry = z.infer<typeof Answer>['results'][number]

const REGISTER = 'Annuaire des entreprises'
const pageOf = (siren: string) => `https://annuaire-entreprises.data.gouv.fr/entreprise/${siren}`

/** Finds companies in the public register. @throws AppError `unavailable` */
export async function findCompanies(context: ToolContext, wish: RegisterWish): Promise<Registered[]> {
  const answer = await context.fetch(addressOfRegister(context.settings, wish))
  const found = answer.ok ? Answer.safeParse(await answer.json()).data : undefined
  if (!found) throw new AppError('unavailable', 'The register of companies could not answer.')
  return found.results.slice(0, wish.companies).map((entry) => describe(entry, wish.contacts))
}

function describe(entry: Entry, most: number): Registered {
  const years = Object.entries(entry.finances ?? {})
    .flatMap(([year, { ca }]) => (typeof ca === 'number' && ca > 0 ? [{ year, ca }] : []))
    .sort((a, b) => b.year.localeCompare(a.year))
  const [last, before] = years
  const sizeRank = sizes.findIndex(([code]) => code === entry.tranche_effectif_salarie)
  const sector = sectors[entry.section_activite_principale ?? '']
  const contacts = contactsOf(entry)
  const known = {
    CA: last?.ca ?? null,
    taille: sizes[sizeRank]?.[1] ?? null,
    secteur: sector ? [sector, entry.activite_principale].filter(Boolean).join(', ') : null,
  }
  const facts = Object.entries({ ...known, prospects: contacts.length > 0 ? 'x' : null })
  return {
    siren: entry.siren,
    growth: last && before ? last.ca / before.ca - 1 : null,
    sizeRank,
    company: {
      ...{ société: entry.nom_complet, enjeux: [], ...known, actualites: null, score: 0, shake_info: null },
      ...{ contacts_count: contacts.length, prospects: contacts.slice(0, most) },
      sources: facts.flatMap(([fact, value]) =>
        value === null ? [] : [{ fact, name: REGISTER, url: pageOf(entry.siren) }],
      ),
    },
  }
}

/** Returns the people among its directors, with their positions. */
function contactsOf({ dirigeants }: Entry): Contact[] {
  return (dirigeants ?? []).flatMap(({ nom, prenoms, qualite, type_dirigeant }) => {
    if (!nom || !qualite || type_dirigeant === 'personne morale') return []
    const first = (prenoms ?? '').split(/[\s,]+/)[0] ?? ''
    return [{ position: qualite, 'prénom nom': [asName(first), asName(nom)].filter(Boolean).join(' ') }]
  })
}

const asName = (word: string) =>
  word
    .toLocaleLowerCase('fr')
    .replace(/(^|[\s'’-])(\p{L})/gu, (_, gap, letter) => gap + letter.toLocaleUpperCase('fr'))

/** Employee bands by code (INSEE, `tranche_effectif_salarie`), smallest first. */
const sizes: readonly [code: string, words: string][] = [
  ['00', '0 salarié'],
  ['01', '1 ou 2 salariés'],
  ['02', '3 à 5 salariés'],
  ['03', '6 à 9 salariés'],
  ['11', '10 à 19 salariés'],
  ['12', '20 à 49 salariés'],
  ['21', '50 à 99 salariés'],
  ['22', '100 à 199 salariés'],
  ['31', '200 à 249 salariés'],
  ['32', '250 à 499 salariés'],
  ['41', '500 à 999 salariés'],
  ['42', '1 000 à 1 999 salariés'],
  ['51', '2 000 à 4 999 salariés'],
  ['52', '5 000 à 9 999 salariés'],
  ['53', '10 000 salariés et plus'],
]

/** Sections of the French classification of activities (NAF rév. 2). */
const sectors: Record<string, string> = {
  ...{ A: 'Agriculture, sylviculture et pêche', B: 'Industries extractives', C: 'Industrie manufacturière' },
  ...{ D: 'Énergie', E: 'Eau, assainissement et déchets', F: 'Construction', G: 'Commerce' },
  ...{ H: 'Transports et entreposage', I: 'Hébergement et restauration', J: 'Information et communication' },
  ...{ K: 'Finance et assurance', L: 'Immobilier', M: 'Conseil, sciences et techniques' },
  ...{ N: 'Services administratifs et de soutien', O: 'Administration publique', P: 'Enseignement' },
  ...{ Q: 'Santé et action sociale', R: 'Arts et spectacles', S: 'Autres services' },
}
