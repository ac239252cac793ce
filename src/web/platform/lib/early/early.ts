/** What the page asks for before any code is there (index.html), by address; `token` is who asked. `threads`: what opens a PDF, once it is one. */
type Early = {
  token: string | null
  answers: Record<string, Promise<Response | null>>
  threads?: Worker[]
}

declare global {
  interface Window {
    early?: Early
  }
}

/** So long after the page was opened an answer of then still says how things are. */
const FRESH_MS = 20_000

/**
 * The answer to a request the page has already made, once; null when there is none, or it was made for another token. `range` is what it asks for
 * of a file.
 */
export async function takeEarly(url: string, token: string | null, range?: string): Promise<Response | null> {
  const { early } = window
  const place = range ? `${url}#${range}` : url
  const answer = early?.answers[place]
  if (!early || !answer) return null
  delete early.answers[place]
  const isOurs = token === null || token === early.token
  const response = isOurs && performance.now() < FRESH_MS ? await answer : null
  // What was refused then may be there now.
  return response?.ok ? response : null
}

/** The threads the page has already started for a PDF, once; none when it did not, or one of them broke. */
export function takeEarlyThreads(): Worker[] {
  const threads = window.early?.threads ?? []
  delete window.early?.threads
  return threads
}
