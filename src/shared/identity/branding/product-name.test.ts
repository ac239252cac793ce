import { expect, it } from 'vitest'
import { renameProduct } from './product-name.ts'

it.each([
  ['Open Atrium', 'Orsane', 'Open Orsane'],
  ['Les documents d’Atrium', 'Zenith', 'Les documents de Zenith'],
  ['Les documents d’Atrium', 'Orsane', 'Les documents d’Orsane'],
  ['Ce qu’Atrium lit', 'Zenith', 'Ce que Zenith lit'],
  ['Not made of “Atrium”', 'Zenith', 'Not made of “Atrium”'],
  ['Set ATRIUM_PUBLIC_URL for atrium.example', 'Zenith', 'Set ATRIUM_PUBLIC_URL for atrium.example'],
  ['Atrium’s own model', '$1 & Co', '$1 & Co’s own model'],
])('the product in %j is called %s [GV-06]', (text, name, renamed) => {
  expect(renameProduct({ a: [text], b: 1, c: null }, name)).toEqual({ a: [renamed], b: 1, c: null })
  expect(renameProduct(text, null)).toBe(text)
})
