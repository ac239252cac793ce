import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { getActiveBranch } from '#shared/messages/messages.ts'
import page from '../../../../index.html?raw'
import { call } from '../call.ts'
import { clearToken, setToken } from '../token.ts'
import { takeEarly } from './early.ts'

let asked: { url: string; authorization: string | undefined }[] = []

beforeEach(() => {
  asked = []
  localStorage.clear()
  vi.spyOn(performance, 'now').mockReturnValue(1_000)
  window.matchMedia = vi.fn(() => ({ matches: false, addEventListener: () => {} }) as never)
  globalThis.fetch = async (url, init) => {
    const headers = (init?.headers ?? {}) as Record<string, string>
    asked.push({ url: String(url), authorization: headers.authorization })
    return Response.json({ url })
  }
})
afterEach(() => {
  vi.restoreAllMocks()
  clearToken()
  delete window.early
  history.replaceState(null, '', '/')
})

/** Runs the script that stands in the page before anything else is loaded. */
function openPage(path: string) {
  history.replaceState(null, '', path)
  const code = /<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? ''
  new Function(code)()
  return asked.map(({ url }) => url.replace('/api/v1', ''))
}

describe('what the page asks for before its code is there', () => {
  it('I18-02 I18-04 is the texts of the detected language', () => {
    localStorage.setItem('i18nextLng', 'fr')
    expect(openPage('/login')).toEqual(['/translations/fr/common', '/translations/fr/login'])
    expect(document.documentElement.lang).toBe('fr')
  })

  it('is nothing of a person for whom nobody is signed in', () => {
    expect(openPage('/chat/a')).toEqual(['/translations/en/common', '/translations/en/login'])
    expect(asked.map(({ authorization }) => authorization)).toEqual([undefined, undefined])
  })

  it('is who is there, their chats and the chat of the address for those who are', () => {
    setToken('secret')
    expect(openPage('/chat/a')).toEqual([
      '/translations/en/common',
      '/translations/en/streaming_blocks',
      '/users/me',
      '/sessions?skip=0&limit=50',
      '/sessions/a',
      '/sessions/a/active-branch?limit=200',
      '/available-models',
    ])
    expect(new Set(asked.slice(2).map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer secret']),
    )
  })

  it('is the document of the address', () => {
    setToken('secret')
    const id = crypto.randomUUID()
    for (const path of [`/documents/${id}`, `/documents/workspace/${crypto.randomUUID()}/preview/${id}`]) {
      asked = []
      expect(openPage(path)).toEqual([
        ...['/translations/en/common', '/translations/en/documents'],
        ...['/users/me', '/sessions?skip=0&limit=50', `/documents/${id}`],
      ])
    }
    asked = []
    const others = ['/translations/en/common', '/users/me', '/sessions?skip=0&limit=50']
    expect(openPage('/documents')).toEqual(others)
  })

  it('is nothing of a chat in another view', () => {
    setToken('secret')
    expect(openPage('/tools')).toEqual(['/translations/en/common', '/users/me', '/sessions?skip=0&limit=50'])
  })

  it('is not asked again by the first call, and is by the second', async () => {
    setToken('secret')
    openPage('/chat/a')
    const before = asked.length
    const read = () => call(getActiveBranch, { params: { sessionId: 'a' }, query: { limit: 200 } })
    await read()
    expect(asked).toHaveLength(before)
    await read()
    expect(asked).toHaveLength(before + 1)
  })

  it('is asked again by a page that was opened long ago', async () => {
    setToken('secret')
    openPage('/chat/a')
    vi.spyOn(performance, 'now').mockReturnValue(21_000)
    expect(await takeEarly('/api/v1/users/me', 'secret')).toBeNull()
  })

  it('is answered to nobody else', async () => {
    setToken('secret')
    openPage('/chat/a')
    expect(await takeEarly('/api/v1/users/me', 'another')).toBeNull()
    expect(await takeEarly('/api/v1/users/me', 'secret')).toBeNull()
  })

  it('is asked again where it could not be answered', async () => {
    setToken('secret')
    globalThis.fetch = () => Promise.reject(new Error('offline'))
    openPage('/chat/a')
    expect(await takeEarly('/api/v1/users/me', 'secret')).toBeNull()
  })
})
