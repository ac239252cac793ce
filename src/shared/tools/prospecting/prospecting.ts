import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'

/** Source of a fact. */
export const FactSource = z.object({ fact: z.string(), name: z.string(), url: z.string() })

export type FactSource = z.infer<typeof FactSource>

/** Internal data on a company. */
export const InternalData = z.object({ gsv: z.number(), utilisateurs: z.int(), projets: z.int() })

/** A contact at a company, named by a source. */
export const Contact = z.object({ position: z.string(), 'prénom nom': z.string() })
export type Contact = z.infer<typeof Contact>

/** A company on the card. Facts without a source are null and hidden. */
export const Company = z.object({
  société: z.string(),
  /** Current concerns of the company, according to published articles. */
  enjeux: z.array(z.string()),
  /** Revenue of the last published year, in euros. */
  CA: z.nullable(z.number()),
  taille: z.nullable(z.string()),
  secteur: z.nullable(z.string()),
  actualites: z.nullable(z.string()),
  /** Score from 0 to 10, based on size, growth and press coverage. */
  score: z.number(),
  shake_info: z.nullable(InternalData),
  contacts_count: z.int(),
  prospects: z.array(Contact),
  sources: z.array(FactSource),
})
export type Company = z.infer<typeof Company>

/** A row of the table; the columns have French names. */
export const Prospect = z.object({
  société: z.string(),
  enjeux: z.string(),
  position: z.string(),
  'prénom nom': z.string(),
  linkedin: z.nullable(z.string()),
  mail: z.nullable(z.string()),
  numéro: z.nullable(z.string()),
  'actus/enjeux prospect': z.nullable(z.string()),
  TP0: z.nullable(z.string()),
  TP1: z.nullable(z.string()),
  TP2: z.nullable(z.string()),
  TP3: z.nullable(z.string()),
  TP4: z.nullable(z.string()),
})
export type Prospect = z.infer<typeof Prospect>
export const prospectColumns = Object.keys(Prospect.shape) as (keyof Prospect)[]

export const ProspectList = z.object({
  prospects: z.array(Prospect),
  all_analyzed_companies: z.array(Company),
})
export type ProspectList = z.infer<typeof ProspectList>

/** Result of an import: prospects that the CRM accepted, now or earlier, and reasons for the rejected ones. */
export const ImportResult = z.object({
  imported: z.int(),
  failed: z.int(),
  failures: z.array(z.object({ société: z.string(), 'prénom nom': z.string(), reason: z.string() })),
})
export type ImportResult = z.infer<typeof ImportResult>

export const importProspects = route({
  method: 'POST',
  path: '/tool-executions/:executionId/import',
  access: 'user',
  fails: ['conflict', 'not_available', 'provider_failed'],
  may: 'write execution',
  summary: 'Hand the prospects of an execution to the CRM, each once; sent again for those it refused',
  params: z.object({ executionId: Id }),
  body: z.object({ target: z.literal('crm') }),
  answer: ImportResult,
})
