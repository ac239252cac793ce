import { startApp } from './app.ts'
import { freePort } from './free-port.ts'
import { startOpenIdServer } from './openid-server.ts'

/** A browser's cookies, and where its visit ended. */
type Visit = { query: URLSearchParams; jar: Map<string, string> }

/** Starts the application at an address that its settings may contain, and a browser for it. */
export async function startWithBrowser(config: (url: string) => Record<string, string>) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const app = await startApp({ config: { ATRIUM_PUBLIC_URL: url, ...config(url) } })
  await app.http.listen({ host: '127.0.0.1', port })
  return {
    app,
    url,
    visit: (path: string, jar?: Map<string, string>) => visit(url, path, jar),
    exchange: (code: string, jar: Map<string, string>) => exchange(url, code, jar),
    close: () => app.close(),
  }
}

/** Starts the application with a real OpenID server as "Google"; both listen. */
export async function startSignOn(config: Record<string, string> = {}) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const google = await startOpenIdServer(`${url}/api/v1/login/google/callback`)
  const app = await startApp({
    config: {
      GOOGLE_ISSUER: google.issuer,
      GOOGLE_CLIENT_ID: 'atrium',
      GOOGLE_CLIENT_SECRET: 'secret',
      ATRIUM_PUBLIC_URL: url,
      ...config,
    },
  })
  await app.http.listen({ host: '127.0.0.1', port })
  return {
    app,
    url,
    google,
    signOn: () => visit(url, `/login/google?redirect_uri=${url}/login`),
    visit: (path: string, jar?: Map<string, string>) => visit(url, path, jar),
    exchange: (code: string, jar: Map<string, string>) => exchange(url, code, jar),
    close: async () => {
      await app.close()
      google.close()
    },
  }
}

/** Follows redirects with cookies, like a browser, until the login page of the product. */
async function visit(url: string, path: string, jar = new Map<string, string>()): Promise<Visit> {
  let next = new URL(path, url)
  for (let hops = 1; hops < 20; hops += 1) {
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie: cookieOf(jar) } })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    const location = answer.headers.get('location')
    if (!location) throw new Error(`${next}: ${answer.status} ${await answer.text()}`)
    next = new URL(location, next)
    if (next.pathname === '/login' && next.origin === url) return { query: next.searchParams, jar }
  }
  throw new Error('too many redirects')
}

async function exchange(url: string, code: string, jar: Map<string, string>) {
  const answer = await fetch(`${url}/api/v1/token/exchange`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: cookieOf(jar) },
    body: JSON.stringify({ code }),
  })
  return { status: answer.status, body: (await answer.json()) as { access_token: string } }
}

function cookieOf(jar: Map<string, string>): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}
