/** What the page asks for before any code is there (index.html), by address; `token` is who asked. */
type Early = { token: string | null; answers: Record<string, Promise<Response | null>> }

declare global {
  interface Window {
    early?: Early
  }
}

/** So long after the page was opened an answer of then still says how things are. */
const FRESH_MS = 20_000

/** The answer to a request the page has already made, once; null when there is none, or it was made for another token. */
export async function takeEarly(url: string, token: string | null): Promise<Response | null> {
  const { early } = window
  const answer = early?.answers[url]
  if (!early || !answer) return null
  delete early.answers[url]
  const isOurs = token === null || token === early.token
  const response = isOurs && performance.now() < FRESH_MS ? await answer : null
  // What was refused then may be there now.
  return response?.ok ? response : null
}
