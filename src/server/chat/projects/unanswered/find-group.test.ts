import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { addTo, findGroup, type Group, minimumOf, unitOf } from './find-group.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Questions of five people each. Every row means something else, often about the same thing. */
const meanings = [
  [
    'Where may visitors park their cars?',
    'Is there parking for guests?',
    'Visitor parking: where?',
    'Where can customers who visit us leave their car?',
    'Can a guest park on site?',
  ],
  [
    'Where do employees park?',
    'Is there a car park for staff?',
    'Employee parking spaces?',
    'Where can I leave my car when I come to work?',
    'Do staff get a parking space?',
  ],
  [
    'What is the notice period of the warehouse lease?',
    'How much notice must we give to end the warehouse lease?',
    'How many months before the term must the lease of the warehouse be cancelled?',
    'Notice to terminate the warehouse lease?',
    'When do we have to give notice for the warehouse?',
  ],
  [
    'What is the rent of the warehouse?',
    'How much do we pay for the warehouse each month?',
    'Monthly rent warehouse?',
    'What does the warehouse cost us per month?',
    'Rent for the warehouse lease?',
  ],
  [
    'Who approves purchases above 10,000 euros?',
    'Who has to sign a purchase of more than 10k?',
    'Approval limit for purchases?',
    'Whose approval do I need for an order over 10000 euros?',
    'Who must authorise large purchases?',
  ],
  [
    'How do I claim travel expenses?',
    'How can I get my travel costs back?',
    'Where do I submit expenses of a trip?',
    'Travel expense claim procedure?',
    'How are travel expenses reimbursed?',
  ],
  [
    'What is the daily meal allowance on business trips?',
    'How much may I spend on meals when I travel?',
    'Per diem for meals?',
    'Meal allowance for travel?',
    'What is the limit for food on a business trip?',
  ],
  [
    'How many days of paid leave do I have?',
    'How much holiday do employees get per year?',
    'Annual leave entitlement?',
    'Number of vacation days per year?',
    'How many holidays am I entitled to?',
  ],
  [
    'Can I carry over unused leave to next year?',
    'What happens to holidays I did not take?',
    'Carry over of vacation days?',
    'Are unused leave days lost at the end of the year?',
    'May I take remaining leave next year?',
  ],
  [
    'How do I connect to the VPN?',
    'VPN set-up instructions?',
    'How can I get into the network from home?',
    'What do I need to do to use the VPN?',
    'How to install the VPN client?',
  ],
  [
    'How do I reset my password?',
    'I forgot my password, what now?',
    'Password reset?',
    'How can I change a lost password?',
    'Where can I get a new password?',
  ],
  [
    'Which supplier delivers the blue paint?',
    'Who is our supplier of blue paint?',
    'Where do we buy the blue paint?',
    'Blue paint supplier?',
    'From whom do we order blue paint?',
  ],
  [
    'What is the delivery time of the blue paint?',
    'How long does it take until the blue paint arrives?',
    'When will ordered blue paint be delivered?',
    'Lead time for blue paint?',
    'How many days does delivery of blue paint take?',
  ],
  [
    'What is the warranty on the pumps?',
    'How long are the pumps under warranty?',
    'Pump warranty period?',
    'Does the warranty for pumps cover two years?',
    'Until when can we claim warranty for a pump?',
  ],
  [
    'How often must the pumps be serviced?',
    'Maintenance interval of the pumps?',
    'When is the next service of the pumps due?',
    'How frequently do pumps need maintenance?',
    'Service schedule for pumps?',
  ],
  [
    'Who is the data protection officer?',
    'Whom do I contact about data protection?',
    'Name of our DPO?',
    'Contact of the data protection officer?',
    'Who is responsible for GDPR questions?',
  ],
  [
    'Où les visiteurs peuvent-ils se garer ?',
    'Y a-t-il un parking pour les visiteurs ?',
    'Parking visiteurs ?',
    'Où nos invités peuvent-ils laisser leur voiture ?',
    'Un visiteur peut-il se garer sur place ?',
  ],
  [
    'Quel est le préavis du bail de l’entrepôt ?',
    'Combien de mois à l’avance faut-il résilier le bail de l’entrepôt ?',
    'Délai de résiliation du bail entrepôt ?',
    'Quand devons-nous donner congé pour l’entrepôt ?',
    'Préavis pour quitter l’entrepôt ?',
  ],
  [
    'Quel est le loyer de l’entrepôt ?',
    'Combien payons-nous par mois pour l’entrepôt ?',
    'Loyer mensuel entrepôt ?',
    'Que coûte l’entrepôt chaque mois ?',
    'Montant du loyer du bail de l’entrepôt ?',
  ],
  [
    'Comment me faire rembourser mes frais de déplacement ?',
    'Où envoyer ma note de frais ?',
    'Procédure de remboursement des frais de voyage ?',
    'Comment déclarer des frais de mission ?',
    'Remboursement des frais de déplacement ?',
  ],
  [
    'Combien de jours de congé ai-je ?',
    'Nombre de jours de congés payés par an ?',
    'À combien de congés ai-je droit ?',
    'Congés payés annuels ?',
    'Combien de vacances ont les salariés ?',
  ],
  [
    'Qui valide les achats de plus de 10 000 euros ?',
    'Qui doit signer un achat supérieur à 10 000 € ?',
    'Seuil de validation des achats ?',
    'De qui ai-je besoin pour approuver une grosse commande ?',
    'Qui autorise les achats importants ?',
  ],
  [
    'Quelle est la garantie des pompes ?',
    'Combien de temps les pompes sont-elles garanties ?',
    'Durée de garantie pompe ?',
    'Jusqu’à quand peut-on faire jouer la garantie d’une pompe ?',
    'Les pompes sont-elles encore sous garantie ?',
  ],
  [
    'Comment se connecter au VPN ?',
    'Installation du VPN ?',
    'Comment accéder au réseau depuis la maison ?',
    'Que faire pour utiliser le VPN ?',
    'Mode d’emploi du VPN ?',
  ],
]

/** Returns the questions in an order that mixes their meanings. */
function mixed() {
  const all = meanings.flatMap((questions, meaning) => questions.map((content) => ({ content, meaning })))
  return all.map((_, at) => all[(at * 77) % all.length]!)
}

it.each([
  ['atrium/gte-small', { precision: 0.6, recall: 0.6 }],
  ['atrium/lexical', { precision: 0.45, recall: 0.45 }],
])('groups questions of the same meaning by %s [GV-05]', { timeout: 120_000 }, async (model, least) => {
  const questions = mixed()
  const embed = (await app.deps.models.embedders())(model)
  const vectors = await embed(
    questions.map(({ content }) => content),
    AbortSignal.timeout(110_000),
  )
  const groups = new Map<string, Group & { meanings: number[] }>()
  for (const [at, { meaning }] of questions.entries()) {
    const vector = unitOf(vectors[at] ?? [])
    const found = findGroup(vector, groups.values(), minimumOf(model))
    const group = groups.get(found?.id ?? '') ?? { id: String(at), size: 0, centre: [], meanings: [] }
    groups.set(group.id, group)
    addTo(group, vector)
    group.meanings.push(meaning)
  }
  const pairs = [...groups.values()].flatMap(({ meanings: all }) =>
    all.flatMap((one, at) => all.slice(at + 1).map((other) => one === other)),
  )
  const right = pairs.filter((isRight) => isRight).length
  expect(right / pairs.length).toBeGreaterThanOrEqual(least.precision)
  expect(right / (meanings.length * 10)).toBeGreaterThanOrEqual(least.recall)
})
