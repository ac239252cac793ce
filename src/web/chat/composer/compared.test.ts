import { afterEach, beforeEach, expect, it, vi } from 'vitest'

/** The module of a page that was just opened. */
const open = async () => {
  vi.resetModules()
  return import('./compared.ts')
}
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
afterEach(() => vi.resetModules())

it('are chosen per chat and survive a reload', async () => {
  const page = await open()
  page.setCompared('a', ['openai/one', 'house/two'])
  expect([page.comparedIn('a'), page.comparedIn('b')]).toEqual([['openai/one', 'house/two'], []])
  const reloaded = await open()
  expect([reloaded.comparedIn('a'), reloaded.comparedIn('b')]).toEqual([['openai/one', 'house/two'], []])
  reloaded.setCompared('a', [])
  expect([reloaded.comparedIn('a'), (await open()).comparedIn('a')]).toEqual([[], []])
})

it('are no comparison when there is one model', async () => {
  const page = await open()
  page.setCompared('a', ['openai/one'])
  expect([page.comparedIn('a'), (await open()).comparedIn('a')]).toEqual([[], []])
})
