import i18next from 'i18next'
import { beforeEach, describe, expect, it } from 'vitest'
import html from '../../../../index.html?raw'
import en from '../../../../locales/en/common.json'
import fr from '../../../../locales/fr/common.json'
import { ApiError } from '../lib/api/api-error.ts'
import { errorText } from './error-text.ts'
import {
  chooseLanguage,
  currentLanguage,
  followProfileLanguage,
  followQueryLanguage,
  loadTexts,
  startTexts,
  translate,
} from './i18n.ts'
import { detectLanguage } from './language.ts'

let asked: string[] = []

function browserSpeaks(...languages: string[]) {
  Object.defineProperty(navigator, 'languages', { value: languages, configurable: true })
}

beforeEach(() => {
  asked = []
  localStorage.clear()
  sessionStorage.clear()
  browserSpeaks('en-GB')
  history.replaceState(null, '', '/')
  globalThis.fetch = async (url) => {
    asked.push(String(url))
    return Response.json({
      loading: `${url}`,
      errors: { network: 'no net', insufficient_balance: 'no money' },
    })
  }
})

describe('language', () => {
  it("is the lang query, otherwise the choice made here, otherwise the browser's [I18-02]", () => {
    browserSpeaks('de-DE', 'fr-CA')
    expect(detectLanguage('')).toBe('fr')
    localStorage.setItem('i18nextLng', 'en')
    expect(detectLanguage('')).toBe('en')
    expect(detectLanguage('?lang=fr-FR')).toBe('fr')
  })

  it('falls back to English [I18-01]', () => {
    browserSpeaks('de-DE')
    expect(detectLanguage('?lang=es')).toBe('en')
  })

  it('loads its texts from GET /translations/{lng}/{ns} [I18-04]', async () => {
    localStorage.setItem('i18nextLng', 'fr')
    await startTexts()
    expect(asked).toContain('/api/v1/translations/fr/common')
    await loadTexts('login')
    expect(asked).toContain('/api/v1/translations/fr/login')
    expect(translate('common:loading')).toBe('/api/v1/translations/fr/common')
    expect(document.documentElement.lang).toBe('fr')
  })

  it('describes the page in its language [SH-01]', async () => {
    const page = new DOMParser().parseFromString(html, 'text/html')
    const description = page.querySelector('meta[name="description"]')
    if (!description) throw new Error('The page has no description')
    expect(description.getAttribute('content')).toBe(en.about)
    const claims = [
      ['operating system for AI agents', 'système d’exploitation pour agents IA'],
      ['build and customise agents and assistants', 'créez et personnalisez agents et assistants'],
      ['chat', 'discutez'],
      ['documents of any format (text, images, audio, video)', 'tout format (texte, images, audio, vidéo)'],
      ['built-in and custom tools', 'outils intégrés ou les vôtres'],
      ['code interpreter, web search, your own APIs', 'interpréteur de code, recherche web, vos propres API'],
    ]
    for (const [english, french] of claims)
      expect([en.about, fr.about]).toEqual([
        expect.stringContaining(english ?? ''),
        expect.stringContaining(french ?? ''),
      ])
    document.head.append(description)
    globalThis.fetch = async () => Response.json({ about: fr.about })
    localStorage.setItem('i18nextLng', 'fr')
    await startTexts()
    expect(description.getAttribute('content')).toBe(fr.about)
    description.remove()
  })

  it('names the manifest of the language', async () => {
    const link = Object.assign(document.createElement('link'), {
      rel: 'manifest',
      href: '/manifest.webmanifest',
    })
    document.head.append(link)
    localStorage.setItem('i18nextLng', 'fr')
    await startTexts()
    expect(link.getAttribute('href')).toBe('/manifest.fr.webmanifest')
    await chooseLanguage('en')
    expect(link.getAttribute('href')).toBe('/manifest.webmanifest')
    link.remove()
  })

  it('uses built-in texts if the server does not answer [I18-04]', async () => {
    globalThis.fetch = async () => {
      throw new TypeError('Failed to fetch')
    }
    i18next.removeResourceBundle('en', 'common')
    await startTexts()
    expect(translate('common:loading')).toBe('Loading...')
  })

  it('follows the profile after signing in [I18-03, G-09]', async () => {
    await startTexts()
    await followProfileLanguage('fr')
    expect([currentLanguage(), localStorage.getItem('i18nextLng')]).toEqual(['fr', 'fr'])
  })

  it('follows a lang query, which overrides the profile for that visit [RT-23, G-09]', async () => {
    await startTexts()
    await followQueryLanguage('?lang=fr')
    await followProfileLanguage('en')
    expect(currentLanguage()).toBe('fr')
    expect(detectLanguage('')).toBe('fr')
    sessionStorage.clear()
    expect(detectLanguage('')).toBe('en')
  })

  it("remembers a choice made here, which ends the query's override [G-09]", async () => {
    await startTexts()
    await followQueryLanguage('?lang=fr')
    await chooseLanguage('en')
    expect([currentLanguage(), localStorage.getItem('i18nextLng'), detectLanguage('')]).toEqual([
      'en',
      'en',
      'en',
    ])
  })
})

describe('text of a failure', () => {
  const t = (key: string, options?: { defaultValue?: string }) =>
    i18next.t(key, { defaultValue: options?.defaultValue ?? key })

  it('is the insufficient-balance text for every 402 [ER-06]', async () => {
    await startTexts()
    expect(errorText(t as never, new ApiError(402, 'unknown', 'Payment required'))).toBe('no money')
  })

  it('translates the code, else shows the detail, else the fallback [ER-04]', async () => {
    await startTexts()
    expect(errorText(t as never, new ApiError(0, 'network', 'Failed to fetch'))).toBe('no net')
    expect(errorText(t as never, new ApiError(409, 'conflict', 'Already there.'))).toBe('Already there.')
    expect(errorText(t as never, new Error('x'), 'errors.send_failed')).toBe('common:errors.send_failed')
  })
})
