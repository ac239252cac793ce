import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ToolEvent } from '#shared/runs/runs/blocks.ts'
import type { Company, Prospect } from '#shared/tools/prospecting/prospecting.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import type { CardBodyProps } from '../../web/platform/ui/card-parts.ts'
import card from './card.tsx'
import { ScoreRing } from './company-card.tsx'
import { roleIcon } from './prospect-table.tsx'

const user = userEvent.setup()
afterEach(() => {
  leavePage()
  vi.restoreAllMocks()
})

const company = (société: string, more: Partial<Company> = {}): Company => ({
  ...{ société, enjeux: [], CA: null, taille: null, secteur: null, actualites: null, score: 3.2 },
  ...{ shake_info: null, contacts_count: 2, prospects: [], sources: [], ...more },
})
const companies = [
  company('Volcanis Emballages', {
    ...{
      enjeux: ['Énergie', 'Recrutement'],
      CA: 84_000_000,
      taille: '310 salariés',
      secteur: 'Emballage industriel',
    },
    ...{ actualites: 'Investit dans une ligne de recyclage.', score: 8.6, contacts_count: 6 },
    shake_info: { gsv: 1_200_000, utilisateurs: 38, projets: 3 },
    sources: [{ fact: 'CA', name: 'Annuaire', url: 'https://annuaire.example/1' }],
  }),
  company('Limagne Semences', { score: 5.1 }),
  company('Cézallier Thermes'),
]
const prospect = (
  société: string,
  person: string,
  position: string,
  more: Partial<Prospect> = {},
): Prospect => ({
  ...{ société, enjeux: 'Énergie', position, 'prénom nom': person, linkedin: null, mail: null, numéro: null },
  ...{
    'actus/enjeux prospect': 'Clôture son plan 2027',
    TP0: null,
    TP1: 'Bonjour,\nvoici',
    TP2: null,
    TP3: null,
    TP4: null,
  },
  ...more,
})
const prospects = [
  prospect('Volcanis Emballages', 'Hélène Vasseur', 'CFO', {
    mail: 'h.vasseur@volcanis.example',
    numéro: '04 73 55 01 18',
  }),
  prospect('Volcanis Emballages', 'Karim Aït Saïd', 'Directeur technique', {
    linkedin: 'https://in.example/karim',
  }),
  prospect('Limagne Semences', 'Claire Montel', 'Gérante'),
]
const result = { prospects, all_analyzed_companies: companies }

const phase = (name: string, status: string, data?: Record<string, unknown>): ToolEvent => ({
  ...{ type: 'tool_update', phase: name, status },
  ...(data && { data }),
})
const asks = (execution_id?: string): ToolEvent => ({
  ...{ type: 'tool_input_required', message: 'Quelles ?' },
  data: { prompt: 'Quelles ?', ...(execution_id && { execution_id }) },
})
const analyzed = phase('company_analysis', 'completed', { companies })
const previewed = phase('preview', 'started', { selected: ['Volcanis Emballages', 'Limagne Semences'] })
const listed = phase('preview', 'completed', { prospects })
const chosen = [analyzed, asks('e1'), previewed]
const over = [...chosen, listed, asks('e1'), phase('final_result', 'completed', result)]

/** Draws the card of a call in progress; `change` updates its props. */
let change: (props: Partial<CardBodyProps>) => void
function Going(first: CardBodyProps) {
  const [props, setProps] = useState(first)
  change = (more) => act(() => setProps((now) => ({ ...now, ...more })))
  return <card.Body {...props} />
}
const INPUT = 'POST /tool-executions/e1/provide-input'
const draw = (props: Partial<CardBodyProps>, answers: Answers = { [INPUT]: () => ({}) }, language = 'fr') =>
  renderPage(<Going status="running" input={{ query: 'Emballage' }} result={null} events={[]} {...props} />, {
    language,
    answers,
  })
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const boxes = () => screen.getAllByRole('checkbox') as HTMLInputElement[]

describe('company list', () => {
  it('shows a score ring, challenges, revenue, size, sector, news, internal data and a count of prospects [PR-01]', async () => {
    await draw({ events: [analyzed] })
    const [first, second] = await screen.findAllByRole('listitem')
    const words = (first?.textContent ?? '').replace(/[\u00a0\u202f]/g, ' ')
    expect(within(first!).getByRole('img', { name: 'Score de 8,6 sur 10' })).toBeTruthy()
    for (const part of [
      'Volcanis Emballages',
      '2 enjeux',
      'CA84 M €',
      'Taille310 salariés',
      'Emballage industriel',
      'Prospects6',
    ])
      expect(words).toContain(part)
    expect(words).toContain('Investit dans une ligne de recyclage.')
    expect(words).toContain('Données internesGSV 1,2 M €Utilisateurs 38Projets 3')
    expect(within(first!).getByRole('link', { name: 'Annuaire' }).getAttribute('href')).toBe(
      'https://annuaire.example/1',
    )
    for (const part of ['enjeu', 'CA', 'Taille', 'Données internes', 'Sources'])
      expect(second?.textContent).not.toContain(part)
  })

  it.each([
    [7.1, 'high'],
    [7, 'middle'],
    [4.1, 'middle'],
    [4, 'low'],
  ])('shows a score of %s as %s, filled by a tenth per point [PR-03]', async (score, level) => {
    await renderPage(<ScoreRing score={score} />, {})
    const ring = await screen.findByRole('img')
    expect([ring.dataset.level, ring.style.getPropertyValue('--fill')]).toEqual([level, `${score * 10}%`])
  })

  it('starts with all selected, and sends the remaining ones by position [PR-11, PR-12, PR-14]', async () => {
    const { sent } = await draw({ events: [analyzed] })
    expect((await screen.findAllByRole('checkbox')).map((box) => (box as HTMLInputElement).checked)).toEqual([
      true,
      true,
      true,
    ])
    expect(screen.queryByRole('button', { name: /Continuer/ })).toBeNull()
    change({ events: [analyzed, asks('e1')] })
    for (const box of boxes()) await user.click(box)
    expect(button('Continuer avec 0 entreprise').hasAttribute('disabled')).toBe(true)
    await user.click(boxes()[2]!)
    await user.click(boxes()[0]!)
    await user.click(button('Continuer avec 2 entreprises'))
    expect(sent.at(-1)).toMatchObject({
      path: '/tool-executions/e1/provide-input',
      body: { input: '1,3', input_type: 'text' },
    })
  })

  it('only logs a question without an execution [PR-17]', async () => {
    const noted = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { sent } = await draw({ events: [analyzed, asks()] })
    await user.click(await screen.findByRole('button', { name: /Continuer/ }))
    expect(sent).toEqual([])
    expect(noted).toHaveBeenCalled()
    expect(screen.queryByText('Génération de la liste de prospects...')).toBeNull()
  })

  it('stops the loader if the answer is refused, and logs it [PR-18]', async () => {
    const noted = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    let answer: (value: unknown) => void = () => undefined
    await draw(
      { events: [analyzed, asks('e1')] },
      {
        [INPUT]: () =>
          new Promise((resolve) => {
            answer = resolve
          }),
      },
    )
    await user.click(await screen.findByRole('button', { name: /Continuer/ }))
    expect(await screen.findByText('Génération de la liste de prospects...')).toBeTruthy()
    expect(boxes().every(({ disabled }) => disabled)).toBe(true)
    await act(async () => answer([500, { detail: 'no' }]))
    await waitFor(() => expect(screen.queryByText('Génération de la liste de prospects...')).toBeNull())
    expect(noted).toHaveBeenCalled()
    expect(button(/Continuer/)).toBeTruthy()
  })

  it('is locked in a preview, which shows the loader [PR-13, PR-15]', async () => {
    await draw({ events: chosen })
    expect(await screen.findByText('Génération de la liste de prospects...')).toBeTruthy()
    expect(screen.getByText('La sélection est verrouillée après l’aperçu.')).toBeTruthy()
    expect(boxes().map(({ checked, disabled }) => [checked, disabled])).toEqual([
      [true, true],
      [true, true],
      [false, true],
    ])
    change({ events: [...chosen, listed, asks('e1')] })
    expect(boxes().every(({ disabled }) => disabled)).toBe(true)
    change({ status: 'done', result, events: over })
    await user.click(await screen.findByRole('button', { name: 'Retour aux entreprises' }))
    expect(boxes().every(({ disabled }) => disabled)).toBe(true)
  })
})

describe('confirmation', () => {
  it('is requested by a later question; yes confirms, and cancelling answers no [PR-16]', async () => {
    for (const [name, input] of [
      ['Valider', 'yes'],
      ['Annuler', 'no'],
    ] as const) {
      const { sent } = await draw({ events: [...chosen, listed, asks('e1')] })
      expect((await screen.findByText(/^Valider ces 3 prospects/)).textContent).toContain('?')
      await user.click(button(name))
      expect(sent.at(-1)?.body).toEqual({ input, input_type: 'text' })
      leavePage()
    }
  })

  it('offers to continue, to view results, to validate and to cancel [PR-09]', async () => {
    await draw({ events: [analyzed, asks('e1')] })
    await screen.findByRole('button', { name: 'Continuer avec 3 entreprises' })
    expect(button('Annuler')).toBeTruthy()
    change({ events: [...chosen, listed, asks('e1')] })
    await user.click(await screen.findByRole('button', { name: 'Voir les résultats' }))
    expect(screen.getByRole('table')).toBeTruthy()
    expect([button('Valider'), button('Annuler')]).toHaveLength(2)
  })
})

describe('prospect list', () => {
  it('is the second step: personas of each company, then a table with French columns [PR-04, PR-06, PR-19]', async () => {
    await draw({ events: chosen })
    await screen.findAllByRole('checkbox')
    change({ status: 'done', result, events: over })
    const table = await screen.findByRole('table')
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual([
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
    const rows = within(table)
      .getAllByRole('row')
      .map(({ textContent }) => textContent)
    expect(rows[1]).toBe(
      'Volcanis EmballagesÉnergieCFOHélène Vasseurh.vasseur@volcanis.example04 73 55 01 18Clôture son plan 2027',
    )
    expect(within(table).getByRole('link', { name: 'profil' }).getAttribute('href')).toBe(
      'https://in.example/karim',
    )
    const personas = [...document.querySelectorAll('.prospect-personas > div')].map(
      ({ textContent }) => textContent,
    )
    expect(personas).toEqual(['Volcanis EmballagesCFODirecteur technique', 'Limagne SemencesGérante'])
    await user.click(screen.getByRole('button', { name: 'TP1 pour Hélène Vasseur' }))
    expect(await screen.findByText(/voici/)).toBeTruthy()
    await user.keyboard('{Escape}')
    await user.click(button('Retour aux entreprises'))
    expect(boxes()).toHaveLength(3)
    change({ events: [...over] })
    expect(screen.queryByRole('table')).toBeNull()
    await user.click(button('Voir les résultats'))
    expect(screen.getByRole('table')).toBeTruthy()
  })

  it('has icons by keywords of roles [PR-05]', () => {
    const roles = ['CFO', 'CEO', 'CTO', 'HR', 'Sales director', 'Supply chain manager', 'Poète']
    expect(new Set(roles.map(roleIcon)).size).toBe(roles.length)
    expect(roleIcon('Directeur financier')).toBe(roleIcon('CFO'))
    expect(roleIcon('Président directeur général')).toBe(roleIcon('CEO'))
  })

  it('can be imported into the CRM, and refused ones again [PR-09, PR-10]', async () => {
    const failures = [{ société: 'Limagne Semences', 'prénom nom': 'Claire Montel', reason: 'Adresse prise' }]
    const answers = [
      [422, { code: 'not_available', detail: 'No CRM' }],
      { imported: 2, failed: 1, failures },
      { imported: 3, failed: 0, failures: [] },
    ]
    const { sent } = await draw(
      { status: 'done', result, events: over },
      { 'POST /tool-executions/e1/import': () => answers.shift() },
    )
    await user.click(await screen.findByRole('button', { name: 'Valider et importer au CRM' }))
    expect(await screen.findByText('Aucun CRM n’est configuré.')).toBeTruthy()
    await user.click(button('Valider et importer au CRM'))
    expect(await screen.findByText('2 prospects sont dans le CRM')).toBeTruthy()
    expect(screen.getByRole('row', { name: 'Claire Montel Limagne Semences Adresse prise' })).toBeTruthy()
    await user.click(button('Importer à nouveau 1 prospect'))
    expect(await screen.findByText('3 prospects sont dans le CRM')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Importer/ })).toBeNull()
    expect(sent.map(({ body }) => body)).toEqual(Array(3).fill({ target: 'crm' }))
  })
})

it('says that it is empty, loading, complete, or locked [PR-08]', async () => {
  const Empty = card.Empty!
  await renderPage(<Empty />, { language: 'fr' })
  expect(
    await screen.findByText("Aucune donnée à afficher. Exécutez l'outil pour voir les résultats."),
  ).toBeTruthy()
  leavePage()
  await draw({})
  expect(await screen.findByText('Chargement...')).toBeTruthy()
  change({ events: chosen })
  expect(screen.getByText('Génération de la liste de prospects...')).toBeTruthy()
  expect(screen.getByText('La sélection est verrouillée après l’aperçu.')).toBeTruthy()
})
