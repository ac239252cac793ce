import { describe, expect, it } from 'vitest'
import { asksForAll, namesDocuments } from './asks-for-all.ts'

describe('asksForAll', () => {
  it.each([
    'How many contracts name a penalty?',
    'how often is Lyon mentioned',
    'List every contract that names a penalty',
    'List all deadlines.',
    'Compare all offers',
    'Show me all invoices of May',
    'List the suppliers',
    'What do we owe in all of our contracts?',
    'Is there a penalty in every lease across all documents?',
    'Which contracts end in 2027?',
    'Which of our invoices are unpaid?',
    'Combien de contrats prévoient une pénalité ?',
    'Combien d’offres avons-nous ?',
    'Liste toutes les échéances',
    'Listez-moi toutes les échéances',
    'Énumère les fournisseurs',
    'Comparez tous les devis',
    'Que disent les pénalités dans tous les contrats ?',
    'Quels contrats se terminent en 2027 ?',
    'Quelles sont toutes les factures impayées ?',
  ])('accepts %s', (question) => expect(asksForAll(question)).toBe(true))

  it.each([
    'What is the rent?',
    'Which supplier is the cheapest?',
    'What is the list price of the pump?',
    'Is all of the rent due in May?',
    'Quel est le loyer ?',
    'Quelle liste de prix est valable ?',
    'Tout le loyer est-il dû en mai ?',
  ])('rejects %s', (question) => expect(asksForAll(question)).toBe(false))

  it('recognises questions that name documents', () => {
    expect(['in our contracts', 'dans mes fichiers', 'three apples'].map(namesDocuments)).toEqual([
      true,
      true,
      false,
    ])
  })
})
