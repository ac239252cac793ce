// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { brandColours } from '#shared/identity/branding/brand-colours.ts'
import type { Brand } from '#shared/identity/branding/branding.ts'
import { renameProduct } from '#shared/identity/branding/product-name.ts'
import page from '../../../../index.html?raw'
import { clearToken, setToken } from '../../platform/lib/me/token.ts'
import { followBrand } from './branding.ts'

const brand: Brand = {
  version: 'c1-3',
  name: 'Zenith',
  colours: { light: brandColours('#c026d3', 'light'), dark: brandColours('#c026d3', 'dark') },
  logo: { light: '/api/v1/brand-logos/l', dark: '/api/v1/brand-logos/d', ratio: 3 },
}
let css = ''
let answers: Record<string, { brand?: Brand | null }> = {}

beforeEach(() => {
  css = ''
  answers = {}
  localStorage.clear()
  document.head.innerHTML = '<title>Atrium</title><link rel="icon" href="/mark.svg" type="image/svg+xml">'
  window.matchMedia = vi.fn(
    () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }) as never,
  )
  // jsdom has no constructed style sheets.
  vi.stubGlobal(
    'CSSStyleSheet',
    class {
      replaceSync(text: string) {
        css = text
      }
    },
  )
  Object.defineProperty(document, 'adoptedStyleSheets', { value: [], writable: true, configurable: true })
  globalThis.fetch = async (url) => Response.json(answers[String(url)] ?? {})
})
afterEach(() => {
  vi.unstubAllGlobals()
  clearToken()
  delete window.early
  for (const name of ['data-logo', 'data-unbranded']) document.documentElement.removeAttribute(name)
  history.replaceState(null, '', '/')
})

/** Runs the inline script of the page, as when it is opened. */
function open(path: string) {
  history.replaceState(null, '', path)
  new Function(/<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '')()
}
const icon = () => document.querySelector('link')?.getAttribute('href')
const keep = (of: string | undefined, kept: Brand | null = brand) =>
  localStorage.setItem(of ? 'brand' : 'publicBrand', JSON.stringify({ of, brand: kept }))

describe('the page', () => {
  it('wears the brand of the last visit before any code is loaded [GV-06]', () => {
    setToken('secret-of-ada')
    localStorage.setItem('brand', JSON.stringify({ of: 'secret-of-ada'.slice(-8), brand }))
    open('/chat')
    expect(css).toContain(`--accent:${brand.colours?.light.accent};`)
    expect(css).toContain(`[data-theme=dark]{--accent:${brand.colours?.dark.accent};`)
    expect(css).toContain('--logo:url(/api/v1/brand-logos/l);--logo-ratio:3')
    expect([document.title, icon()]).toEqual(['Zenith', '/api/v1/brand-logos/l'])
    expect(document.documentElement.hasAttribute('data-logo')).toBe(true)
    expect(window.early?.named).toBeUndefined()
  })

  it('wears no brand that another person left, and lets the texts wait for the own one [GV-06]', async () => {
    setToken('secret-of-ada')
    keep('e-of-ben')
    answers['/api/v1/users/me'] = { brand: { ...brand, name: 'Orsane' } }
    open('/chat')
    expect(css).toBe('')
    await window.early?.named
    expect(window.early?.brand?.name).toBe('Orsane')
    expect(JSON.parse(localStorage.getItem('brand') ?? '')).toMatchObject({ brand: { name: 'Orsane' } })
  })

  it('follows a change and a reset of the brand [GV-06]', async () => {
    setToken('secret-of-ada')
    localStorage.setItem('brand', JSON.stringify({ of: 'secret-of-ada'.slice(-8), brand }))
    answers['/api/v1/users/me'] = {}
    open('/chat')
    expect(css).toContain('--accent')
    await vi.waitFor(() => expect(css).not.toContain('--accent'))
    expect(icon()).toBe('/mark.svg')
    expect(document.documentElement.hasAttribute('data-logo')).toBe(false)
  })

  it('wears the brand for everyone on the sign-in page, not that of a person [GV-06]', async () => {
    localStorage.setItem('brand', JSON.stringify({ of: 'whoever1', brand }))
    answers['/api/v1/brand'] = { brand: { ...brand, name: 'Orsane' } }
    open('/login')
    expect(css).toBe('')
    await window.early?.named
    expect(window.early?.brand?.name).toBe('Orsane')
    expect(localStorage.getItem('publicBrand')).toContain('Orsane')
  })

  it('shows no mark on public pages until it is known whose they are [GV-06]', () => {
    keep(undefined)
    open('/s/token')
    expect(css).toBe('')
    expect(document.documentElement.hasAttribute('data-unbranded')).toBe(true)
    expect(window.early?.brand).toBeUndefined()
  })

  it('follows the typed mail domain, then the person who signs in, then the sign-out [GV-06]', async () => {
    const named = (version: string) => ({ brand: { ...brand, name: null, version } })
    answers['/api/v1/brand'] = named('everyone')
    answers['/api/v1/brand?domain=zenith.test'] = named('domain')
    open('/login')
    await window.early?.named
    const stored = (key: string) => JSON.parse(localStorage.getItem(key) ?? 'null')
    await followBrand('zenith.test')
    expect(window.early?.brand?.version).toBe('domain')
    answers['/api/v1/brand'] = named('person')
    setToken('secret-of-ada')
    await followBrand()
    expect(window.early?.brand?.version).toBe('person')
    expect(stored('brand')).toMatchObject({ of: 't-of-ada'.slice(-8), brand: { version: 'person' } })
    clearToken()
    answers['/api/v1/brand'] = named('everyone')
    await followBrand()
    expect(stored('publicBrand')).toMatchObject({ of: null, brand: { version: 'everyone' } })
    expect(stored('brand')).toMatchObject({ brand: { version: 'person' } })
  })

  it('keeps no answer for another person, or for an address typed before [GV-06]', async () => {
    const named = (version: string) => ({ brand: { ...brand, name: null, version } })
    open('/login')
    await window.early?.named
    const gates: Record<string, () => void> = {}
    globalThis.fetch = (url) => {
      const asked = String(url).split('domain=')[1] ?? 'person'
      return new Promise((resolve) => {
        gates[asked] = () => resolve(Response.json(named(asked)))
      })
    }
    const first = followBrand('first.test')
    const second = followBrand('second.test')
    await vi.waitFor(() => expect(Object.keys(gates)).toHaveLength(2))
    gates['second.test']?.()
    await second
    gates['first.test']?.()
    await first
    expect(window.early?.brand?.version).toBe('second.test')
    const late = followBrand('late.test')
    await vi.waitFor(() => expect(gates['late.test']).toBeDefined())
    setToken('secret-of-ada')
    gates['late.test']?.()
    await late
    expect(localStorage.getItem('brand')).toBeNull()
    expect(window.early?.brand?.version).toBe('second.test')
  })

  it('stays plain when what was stored is damaged', () => {
    setToken('secret-of-ada')
    localStorage.setItem('brand', '{"of"')
    expect(() => open('/chat')).not.toThrow()
    expect(css).toBe('')
  })

  it('names the product as the shared rule does, except in the administration [GV-06]', () => {
    open('/s/token')
    const texts = { a: 'Les documents d’Atrium', b: { c: 'Not made of “Atrium”', d: 'Open Atrium' } }
    for (const name of ['Zenith', 'Orsane', 'A "B" $1']) {
      window.early?.wear({ ...brand, name })
      expect(window.early?.rename(texts, 'common')).toEqual(renameProduct(texts, name))
      expect(window.early?.rename(texts, 'admin')).toEqual(texts)
    }
    window.early?.wear(null)
    expect(window.early?.rename(texts, 'common')).toEqual(texts)
  })
})
