import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, render } from '@testing-library/react'
import i18next from 'i18next'
import type { ReactElement } from 'react'
import { initReactI18next } from 'react-i18next'
import { queryClient } from '../../../src/web/platform/lib/api/query-client.ts'
import { setToken, visitWith } from '../../../src/web/platform/lib/me/token.ts'

/** A recorded call, for checks of what was sent. */
export type Sent = { method: string; path: string; query: URLSearchParams; body: unknown }

/** Answers to calls by `METHOD /path`; a `[status, body]` pair sets the status. */
export type Answers = Record<string, (sent: Sent) => unknown>

/**
 * Renders a component as a page at an address, signed in, with real texts, router and query cache; only the network is
 * replaced.
 */
export async function renderPage(
  element: ReactElement,
  { path = '/', language = 'en', answers = {} as Answers } = {},
) {
  await startTexts(language)
  setToken('test-token')
  queryClient.clear()
  const sent: Sent[] = []
  globalThis.fetch = (url, init) => answerCall(String(url), init, answers, sent)
  const router = createRouter({
    routeTree: createRootRoute({ component: () => element }),
    history: createMemoryHistory({ initialEntries: [path] }),
    // Every address renders the same component.
    notFoundMode: 'root',
    defaultNotFoundComponent: () => element,
  })
  const view = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await act(() => router.load())
  const pathNow = () => router.state.location.pathname
  return { ...view, sent, pathNow, hrefNow: () => router.state.location.href, answers }
}

/** Undoes `renderPage`. */
export function leavePage(): void {
  cleanup()
  queryClient.clear()
  visitWith(null)
  localStorage.clear()
}

/** Answers one call of the client from `answers` and adds it to `sent`; without an answer it is a 404. */
export async function answerCall(url: string, init: RequestInit | undefined, answers: Answers, sent: Sent[]) {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const path = pathname.replace(/^\/api\/v1/, '')
  const body = readBody(init?.body)
  const call = { method: init?.method ?? 'GET', path, query: searchParams, body }
  sent.push(call)
  const answer = answers[`${call.method} ${path}`]
  if (!answer) return Response.json({ detail: `No answer for ${call.method} ${path}` }, { status: 404 })
  const given = await answer(call)
  if (given instanceof Response) return given
  const [status, content] = Array.isArray(given) && typeof given[0] === 'number' ? given : [200, given]
  return Response.json(content, { status })
}

function readBody(body: RequestInit['body']): unknown {
  if (body instanceof URLSearchParams) return Object.fromEntries(body)
  return typeof body === 'string' ? JSON.parse(body) : undefined
}

const files = import.meta.glob<{ default: Record<string, unknown> }>('../../../locales/*/*.json', {
  eager: true,
})

/** Loads the real texts of a language without a server. */
export async function startTexts(language: string) {
  const resources: Record<string, Record<string, Record<string, unknown>>> = {}
  for (const [path, { default: texts }] of Object.entries(files)) {
    const [lng = '', ns = ''] = path.replace('.json', '').split('/').slice(-2)
    resources[lng] = { ...resources[lng], [ns]: texts }
  }
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    defaultNS: 'common',
    resources: resources as never,
    interpolation: { escapeValue: false },
  })
}
