/**
 * Follows redirects like a browser, with cookies per host, until an answer is not a redirect. `cookies` are those collected
 * so far, by host; new ones are added.
 */
export async function wander(
  start: string,
  cookies: Map<string, Map<string, string>> = new Map(),
): Promise<{ url: URL; answer: Response }> {
  let url = new URL(start)
  for (let hop = 0; hop < 20; hop += 1) {
    const jar = cookies.get(url.host) ?? new Map<string, string>()
    cookies.set(url.host, jar)
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } })
    keepCookies(jar, answer)
    const next = answer.headers.get('location')
    if (next === null) return { url, answer }
    url = new URL(next, url)
  }
  throw new Error('The redirects do not end.')
}

export function keepCookies(jar: Map<string, string>, answer: Response): void {
  for (const line of answer.headers.getSetCookie()) {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s)
    if (value === '') jar.delete(name)
    else jar.set(name, value)
  }
}
