import * as z from 'zod/mini'
import { hostOf } from '#shared/platform/outward.ts'
import { atMost, trimmed } from '#shared/platform/primitives.ts'
import { ProspectList } from '#shared/tools/prospecting/prospecting.ts'
import { tool } from '#shared/tools/tools/tool.ts'
import { addressOfRegister } from './register-address.ts'

const prospecting = tool({
  id: 'prospecting',
  name: 'Prospecting',
  icon: 'target',
  description:
    'Finds French companies of a trade or a place in the public register, with revenue, size, sector, news and the people who lead them; the person chooses companies, looks through the prospects and confirms. Use it when somebody looks for companies or people to sell to.',
  input: z.object({
    /** A trade, a product or a name. */
    query: trimmed(1, 200),
    /** A department (two or three characters) or a postal code; empty for all of France. */
    place: z.optional(z.string().check(atMost(5), z.regex(/^(?:|\d{2,3}|2[AB]|\d{5})$/))),
    /** The offer to them, in words. */
    offer: z.optional(trimmed(0, 1_000)),
    companies: z._default(z.int().check(z.gte(1), z.lte(25)), 6),
    contacts: z._default(z.int().check(z.gte(1), z.lte(20)), 3),
  }),
  output: ProspectList,
  examples: [
    {
      prospects: [
        {
          ...{ société: 'VOLCANIS EMBALLAGES', enjeux: 'Investissement', position: 'Directeur général' },
          ...{ 'prénom nom': 'Hélène Vasseur', linkedin: null, mail: null, numéro: null },
          'actus/enjeux prospect': 'Une nouvelle ligne de recyclage pour 2027',
          ...{ TP0: null, TP1: null, TP2: null, TP3: null, TP4: null },
        },
      ],
      all_analyzed_companies: [
        {
          ...{ société: 'VOLCANIS EMBALLAGES', enjeux: ['Investissement'], CA: 84_000_000 },
          ...{ taille: '250 à 499 salariés', secteur: 'Industrie manufacturière' },
          actualites: 'Une nouvelle ligne de recyclage pour 2027',
          ...{ score: 8.6, shake_info: null, contacts_count: 1 },
          prospects: [{ position: 'Directeur général', 'prénom nom': 'Hélène Vasseur' }],
          sources: [
            {
              ...{ fact: 'CA', name: 'Annuaire des entreprises' },
              url: 'https://annuaire-entreprises.data.gouv.fr/entreprise/123456789',
            },
          ],
        },
      ],
    },
  ],
  repeatable: true,
  takes: 'model',
  durable: true,
  limitSeconds: 300,
  settings: ['COMPANY_REGISTER_URL', 'COMPANY_INTERNAL_URL'],
  // Names of found companies go to the search engines. The offer goes only to the model.
  sends: ({ query, place = '', companies }, { settings, engines }) => {
    const address = addressOfRegister(settings, { query, place, companies })
    return { hosts: [hostOf(address), ...engines], method: 'GET', address, headers: {}, body: null }
  },
})

export default prospecting
