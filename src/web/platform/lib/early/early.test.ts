import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { getActiveBranch } from '#shared/chat/messages/messages.ts'
import page from '../../../../../index.html?raw'
import { openByteSource } from '../../../knowledge/preview/original/byte-source.ts'
import { call } from '../api/call.ts'
import { clearToken, setToken } from '../me/token.ts'
import { takeEarly, takeEarlyThreads } from './early.ts'

let asked: { url: string; authorization: string | undefined }[] = []

beforeEach(() => {
  asked = []
  localStorage.clear()
  vi.spyOn(performance, 'now').mockReturnValue(1_000)
  window.matchMedia = vi.fn(
    () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }) as never,
  )
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

/** Runs the inline script of the page, which comes before all other code. */
function openPage(path: string) {
  history.replaceState(null, '', path)
  const code = /<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? ''
  new Function(code)()
  return asked.map(({ url }) => url.replace('/api/v1', ''))
}

describe('early requests of the page', () => {
  it('load the texts of the detected language [I18-02, I18-04]', () => {
    localStorage.setItem('i18nextLng', 'fr')
    expect(openPage('/login')).toEqual(['/brand', '/translations/fr/common', '/translations/fr/login'])
    expect(document.documentElement.lang).toBe('fr')
  })

  it('contain nothing personal if no one is signed in', () => {
    expect(openPage('/chat/a')).toEqual(['/brand', '/translations/en/common', '/translations/en/login'])
    expect(asked.map(({ authorization }) => authorization)).toEqual([undefined, undefined, undefined])
  })

  it('load the person, their chats and the chat of the address if signed in', () => {
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

  it('load the document of the address', () => {
    setToken('secret')
    const id = crypto.randomUUID()
    for (const path of [`/documents/${id}`, `/documents/workspace/${crypto.randomUUID()}/preview/${id}`]) {
      asked = []
      expect(openPage(path)).toEqual([
        ...['/translations/en/common', '/translations/en/documents'],
        ...['/users/me', '/sessions?skip=0&limit=50', `/documents/${id}`],
      ])
    }
    const others = ['/translations/en/common', '/users/me', '/sessions?skip=0&limit=50']
    for (const path of ['/documents', `/documents/workspace/${id}`]) {
      asked = []
      expect(openPage(path)).toEqual(others)
    }
  })

  describe('early requests of a PDF', () => {
    const id = crypto.randomUUID()
    const content = `/api/v1/documents/${id}/content?version=3`
    let started: FakeThread[] = []
    class FakeThread {
      onerror?: () => void
      constructor() {
        started.push(this)
      }
    }
    beforeEach(() => {
      started = []
      vi.stubGlobal('Worker', FakeThread)
      const script = { dataset: { threads: '/reader.mjs /painter.mjs' } }
      Object.defineProperty(document, 'currentScript', { value: script, configurable: true })
      setToken('secret')
    })
    afterEach(() => {
      vi.unstubAllGlobals()
      Object.defineProperty(document, 'currentScript', { value: null, configurable: true })
    })

    /** Opens the page at the address of a document of this kind, until it knows the document. */
    async function openDocument(search: string, normalized_extension: string, files: string[] = []) {
      const { fetch } = globalThis
      const document = { version: 3, normalized_extension, doc_metadata: { files } }
      globalThis.fetch = async (url, init) => {
        const answer = await fetch(url, init)
        return String(url).endsWith(id) ? Response.json(document) : answer
      }
      openPage(`/documents/preview/${id}${search}`)
      await vi.waitFor(async () =>
        expect(await window.early?.answers[`/api/v1/documents/${id}`]).toBeTruthy(),
      )
      await new Promise((resolve) => setTimeout(resolve))
      return asked.filter(({ url }) => url === content)
    }

    it('load its beginning once, and start its reader', async () => {
      const [beginning, ...more] = await openDocument('?chunk=c', 'pdf')
      expect([beginning?.authorization, more.length, started.length]).toEqual(['Bearer secret', 0, 2])
      const { start } = await openByteSource(id, 3, new AbortController().signal)
      expect(JSON.parse(new TextDecoder().decode(start))).toEqual({ url: content })
      expect(asked.filter(({ url }) => url === content)).toHaveLength(1)
      expect(takeEarlyThreads()).toEqual(started)
      expect(takeEarlyThreads()).toEqual([])
    })

    it('load its end too if that is another part', async () => {
      const { fetch } = globalThis
      globalThis.fetch = async (url, init) => {
        const headers = { 'content-range': `bytes 0-1048575/${2.5 * 1_048_576}` }
        const answer = await fetch(url, init)
        return String(url) === content ? new Response('part', { status: 206, headers }) : answer
      }
      expect(await openDocument('', 'pdf')).toHaveLength(2)
      await openByteSource(id, 3, new AbortController().signal)
      expect(asked.filter(({ url }) => url === content)).toHaveLength(2)
    })

    it('apply to every format that is shown as a PDF', async () => {
      expect(await openDocument('', 'docx', ['view.pdf'])).toHaveLength(1)
    })

    it('are not made if something else of the document is shown', async () => {
      expect(await openDocument('', 'xlsx', ['view.pdf', 'sheets.json'])).toEqual([])
      expect(await openDocument('', 'png')).toEqual([])
      expect(await openDocument('?view=digitized', 'pdf')).toEqual([])
      expect(await openDocument('?version=2', 'pdf')).toEqual([])
      expect(started).toEqual([])
    })

    it('are not used for another range, or for the whole file', async () => {
      await openDocument('', 'pdf')
      expect(await takeEarly(content, 'secret')).toBeNull()
      expect(await takeEarly(content, 'secret', 'bytes=5-9')).toBeNull()
      expect(await takeEarly(content, 'secret', 'bytes=0-1048575')).toBeTruthy()
    })

    it('start again after a failure before they are used', async () => {
      await openDocument('', 'pdf')
      expect(started).toHaveLength(2)
      started[0]?.onerror?.()
      expect(takeEarlyThreads()).toEqual([])
    })
  })

  it('load nothing of a chat in another view', () => {
    setToken('secret')
    expect(openPage('/tools')).toEqual(['/translations/en/common', '/users/me', '/sessions?skip=0&limit=50'])
  })

  it('serve the first call, but not the second', async () => {
    setToken('secret')
    openPage('/chat/a')
    const before = asked.length
    const read = () => call(getActiveBranch, { params: { sessionId: 'a' }, query: { limit: 200 } })
    await read()
    expect(asked).toHaveLength(before)
    await read()
    expect(asked).toHaveLength(before + 1)
  })

  it('are too old for a page that was opened long ago', async () => {
    setToken('secret')
    openPage('/chat/a')
    vi.spyOn(performance, 'now').mockReturnValue(21_000)
    expect(await takeEarly('/api/v1/users/me', 'secret')).toBeNull()
  })

  it('are not used for another token', async () => {
    setToken('secret')
    openPage('/chat/a')
    expect(await takeEarly('/api/v1/users/me', 'another')).toBeNull()
    expect(await takeEarly('/api/v1/users/me', 'secret')).toBeNull()
  })

  it('are repeated if they failed', async () => {
    setToken('secret')
    globalThis.fetch = () => Promise.reject(new Error('offline'))
    openPage('/chat/a')
    expect(await takeEarly('/api/v1/users/me', 'secret')).toBeNull()
  })
})
