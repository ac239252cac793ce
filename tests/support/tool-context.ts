import type { ToolContext } from '../../src/shared/tools/tools/tool.ts'

/** What a tool is handed, for trying its work alone: a fetch of this machine, steps that are not recorded. */
export function aToolContext(patch: Partial<ToolContext> = {}): ToolContext {
  return {
    ...{ executionId: 'e', signal: new AbortController().signal, language: 'en', settings: {} },
    ...{ phase: () => undefined, partial: () => undefined, partialImage: () => undefined },
    fetch: async (url, { maxBytes: _, ...request } = {}) => {
      const answer = await fetch(url, request)
      const text = await answer.text()
      return {
        ...{ ok: answer.ok, status: answer.status, url, headers: answer.headers },
        ...{
          bytes: new TextEncoder().encode(text),
          text: () => text,
          json: async () => JSON.parse(text) as unknown,
        },
      }
    },
    documents: {
      find: () => Promise.reject(new Error('There are no documents here.')),
      answer: () => Promise.reject(new Error('There are no documents here.')),
    },
    corpus: {
      fix: () => Promise.reject(new Error('There is nothing to read here.')),
      note: () => Promise.reject(new Error('There is nothing to read here.')),
      group: () => null,
      join: () => Promise.reject(new Error('There is nothing to read here.')),
      answer: () => Promise.reject(new Error('There is nothing to read here.')),
    },
    web: {
      search: () => Promise.reject(new Error('There is no web here.')),
      read: () => Promise.reject(new Error('There is no web here.')),
      answer: () => Promise.reject(new Error('There is no web here.')),
    },
    model: { ask: () => Promise.reject(new Error('There is no model here.')) },
    code: {
      readiness: async () => [],
      open: async () => ({ folder: [], uploaded: [] }),
      run: () => Promise.reject(new Error('Nothing is run here.')),
      keep: async () => undefined,
    },
    images: {
      findModel: () => Promise.reject(new Error('Nothing makes images here.')),
      check: async () => undefined,
      make: () => Promise.reject(new Error('Nothing makes images here.')),
      keep: () => Promise.reject(new Error('Nothing is kept here.')),
    },
    pages: { view: () => Promise.reject(new Error('There are no documents here.')) },
    step: (_, work) => work(),
    ask: () => Promise.reject(new Error('Nobody is asked here.')),
    ...patch,
  }
}
