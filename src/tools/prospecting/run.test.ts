import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Company, Prospect, ProspectList } from '#shared/tools/prospecting/prospecting.ts'
import type { ToolContext } from '#shared/tools/tools/tool.ts'
import { aToolContext } from '#tests/tool-context.ts'
import run, { readSelection } from './run.ts'

let server: Server
let url = ''
const asked: string[] = []
let entries: object[] = []
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    response.setHeader('content-type', 'application/json')
    if (pathname === '/search') return void response.end(JSON.stringify({ results: entries }))
    const isKnown = searchParams.get('siren') === '1'
    response.end(JSON.stringify(isKnown ? { gsv: 1_200_000, utilisateurs: 38, projets: 3 } : {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const leader = (nom: string, prenoms: string, qualite: string) => ({
  nom,
  prenoms,
  qualite,
  type_dirigeant: 'personne physique',
})
const volcanis = {
  ...{ siren: '1', nom_complet: 'VOLCANIS EMBALLAGES', section_activite_principale: 'C' },
  ...{ activite_principale: '22.22Z', tranche_effectif_salarie: '32' },
  dirigeants: [
    leader('VASSEUR', 'HELENE MARIE', 'Directeur général'),
    leader("L'HERMITE", 'JEAN-PAUL', 'Président'),
    { ...leader('AUDIT SA', '', 'Commissaire aux comptes'), type_dirigeant: 'personne morale' },
  ],
  finances: { 2023: { ca: 70_000_000 }, 2024: { ca: 84_000_000 } },
}
const bare = { siren: '2', nom_complet: 'CEZALLIER THERMES', dirigeants: [leader('DUPUY', 'ANNE', 'Gérant')] }
const hit = { engine: 'wikipedia' as const, published: null, url: 'https://news.example/volcanis' }

type Played = { answers?: string[]; model?: string; web?: ToolContext['web']['search'] }

/** Runs the tool with a person's answers in turn. */
async function play(
  input: Record<string, unknown>,
  { answers = ['1,2', 'yes'], model = '', web }: Played = {},
) {
  const told: unknown[][] = []
  const questions: string[] = []
  const left = [...answers]
  const context = aToolContext({
    settings: { COMPANY_REGISTER_URL: url, COMPANY_INTERNAL_URL: `${url}/internal` },
    phase: (...phase) => void told.push(phase),
    ask: async (name, { input_types }) => {
      questions.push(`${name} ${input_types}`)
      return { input: left.shift(), input_type: 'text' }
    },
    model: { ask: async () => model },
    web: {
      ...aToolContext().web,
      search:
        web ??
        (async () => ({
          ...{ engine: 'wikipedia', failures: [] },
          hits: [
            { ...hit, title: 'Somebody else', snippet: 'recrute' },
            {
              ...hit,
              title: 'Volcanis Emballages investit',
              snippet: 'Volcanis Emballages ouvre une nouvelle ligne.',
            },
          ],
        })),
    },
  })
  const result = await run({ query: 'emballage', companies: 6, contacts: 3, ...input } as never, context)
  return { told, questions, result: ProspectList.parse(result) }
}

describe('prospecting', () => {
  it('names companies by score, each fact with its source, and omits unknown facts [PR-02, PR-07, XB-11]', async () => {
    entries = [bare, volcanis]
    const { result } = await play({ place: '63' })
    expect(asked[0]).toBe('/search?q=emballage&page=1&per_page=6&etat_administratif=A&departement=63')
    const [first, second] = result.all_analyzed_companies
    const register = {
      name: 'Annuaire des entreprises',
      url: 'https://annuaire-entreprises.data.gouv.fr/entreprise/1',
    }
    expect(first).toEqual({
      ...{ société: 'VOLCANIS EMBALLAGES', enjeux: ['Investissement'], CA: 84_000_000 },
      ...{ taille: '250 à 499 salariés', secteur: 'Industrie manufacturière, 22.22Z' },
      actualites: 'Volcanis Emballages ouvre une nouvelle ligne.',
      ...{ score: 6.7, shake_info: { gsv: 1_200_000, utilisateurs: 38, projets: 3 }, contacts_count: 2 },
      prospects: [
        { position: 'Directeur général', 'prénom nom': 'Helene Vasseur' },
        { position: 'Président', 'prénom nom': "Jean-Paul L'Hermite" },
      ],
      sources: [
        ...['CA', 'taille', 'secteur', 'prospects'].map((fact) => ({ fact, ...register })),
        { fact: 'actualites', name: 'Volcanis Emballages investit', url: hit.url },
        { fact: 'Investissement', name: 'Volcanis Emballages investit', url: hit.url },
      ],
    })
    expect(second).toMatchObject({
      CA: null,
      taille: null,
      secteur: null,
      actualites: null,
      enjeux: [],
      shake_info: null,
      score: 0,
    })
    expect(Object.keys(Company.shape)).toEqual([
      ...['société', 'enjeux', 'CA', 'taille', 'secteur', 'actualites', 'score', 'shake_info'],
      ...['contacts_count', 'prospects', 'sources'],
    ])
    expect(Object.keys(Prospect.shape)).toEqual([
      ...[
        'société',
        'enjeux',
        'position',
        'prénom nom',
        'linkedin',
        'mail',
        'numéro',
        'actus/enjeux prospect',
      ],
      ...['TP0', 'TP1', 'TP2', 'TP3', 'TP4'],
    ])
  })

  it('scores a company at 10 when nothing could be better [PR-02]', async () => {
    const growing = { 2023: { ca: 10_000_000 }, 2024: { ca: 90_000_000 } }
    entries = [{ ...volcanis, tranche_effectif_salarie: '53', finances: growing }]
    const snippet = 'Volcanis Emballages investit, recrute, exporte et rachète un logiciel.'
    const hits = [{ ...hit, title: 'Volcanis Emballages', snippet }]
    const web = async () => ({ engine: 'wikipedia' as const, failures: [], hits })
    const { result } = await play({ place: '63' }, { web })
    const [best] = result.all_analyzed_companies
    expect(best?.enjeux.length).toBeGreaterThan(2)
    expect(best?.score).toBe(10)
  })

  it('asks which companies to select, shows the list, and asks for confirmation', async () => {
    entries = [volcanis, bare]
    const model =
      'TP0: Bonjour\n**TP1**: Un courriel\nTP2: Relance\nTP3: Un appel\nTP4: Dernier mot\nTP9: nothing'
    const { told, questions, result } = await play({}, { answers: ['2', 'oui'], model })
    expect(questions).toEqual(['selection text', 'confirmation text'])
    expect(told.map(([phase, status]) => `${phase} ${status}`)).toEqual([
      ...['company_analysis started', 'company_analysis completed', 'preview started', 'preview completed'],
      'final_result completed',
    ])
    expect(result.prospects).toEqual([
      {
        ...{ société: 'CEZALLIER THERMES', enjeux: '', position: 'Gérant', 'prénom nom': 'Anne Dupuy' },
        ...{ linkedin: null, mail: null, numéro: null, 'actus/enjeux prospect': null },
        ...{ TP0: 'Bonjour', TP1: 'Un courriel', TP2: 'Relance', TP3: 'Un appel', TP4: 'Dernier mot' },
      },
    ])
  })

  it.each([[['ends without prospects when the user answers %s']], [['1', 'no']]])(
    'ends without prospects when a person says %s',
    async (answers) => {
      entries = [volcanis]
      const { result } = await play({}, { answers })
      expect([result.prospects, result.all_analyzed_companies.length]).toEqual([[], 1])
    },
  )

  it('continues without news, a model or people, and reports if the register does not answer', async () => {
    entries = [volcanis]
    const { result } = await play({}, { web: () => Promise.reject(new Error('no engine')) })
    expect(result.prospects).toHaveLength(2)
    expect(result.prospects[0]).toMatchObject({ 'actus/enjeux prospect': null, TP0: null })
    entries = []
    expect((await play({})).result).toEqual({ prospects: [], all_analyzed_companies: [] })
    entries = [{ nonsense: true }]
    await expect(play({})).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('parses a selection by position, whatever the separators', () => {
    const companies = ['a', 'b', 'c'].map((société) => ({ société })) as Company[]
    const names = (answer: string) =>
      readSelection(answer, companies)
        .map(({ société }) => société)
        .join('')
    expect(['1,3', '3 and 1', '2', '9', ''].map(names)).toEqual(['ac', 'ac', 'b', 'abc', 'abc'])
  })
})
