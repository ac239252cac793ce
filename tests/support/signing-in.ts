import { expect } from 'vitest'
import type { Reader } from './documents.ts'
import { keepCookies, wander } from './wander.ts'

/** Signs a connector in like the browser of a person, and returns the page that the browser ends on. `isOther` returns in another browser. */
export async function signInTo(
  base: string,
  who: Reader,
  connectorId: string,
  { isOther = false } = {},
): Promise<{ asked: URLSearchParams; back: string }> {
  const begun = await fetch(`${base}/connectors/${connectorId}/sign-in`, {
    ...{ method: 'POST', headers: who.user.headers },
  })
  const body = (await begun.json()) as { url: string }
  expect(begun.status, JSON.stringify(body)).toBe(200)
  const jar = new Map<string, string>()
  if (!isOther) keepCookies(jar, begun)
  const { url } = await wander(body.url, new Map([[new URL(base).host, jar]]))
  return { asked: new URL(body.url).searchParams, back: `${url.pathname}${url.search}` }
}
