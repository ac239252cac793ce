import type { ToolContext } from '../../src/shared/tools/tools/tool.ts'

/** Returns the context of a tool for testing its work alone: a local fetch, and steps that are not recorded. */
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
      run: () => Promise.reject(new Error('No programs can run here.')),
      keep: async () => undefined,
    },
    images: {
      findModel: () => Promise.reject(new Error('No images can be made here.')),
      check: async () => undefined,
      make: () => Promise.reject(new Error('No images can be made here.')),
      keep: () => Promise.reject(new Error('Nothing can be stored here.')),
    },
    actions: noAccounts,
    databases: {
      list: async () => [],
      query: () => Promise.reject(new Error('There are no databases here.')),
    },
    pages: { view: () => Promise.reject(new Error('There are no documents here.')) },
    step: (_, work) => work(),
    ask: () => Promise.reject(new Error('No one can be asked here.')),
    ...patch,
  }
}

const noAccount = () => Promise.reject(new Error('There is no account here.'))
const noAccounts: ToolContext['actions'] = {
  ...{ searchMail: noAccount, readMail: noAccount, listEvents: noAccount, sendMail: noAccount },
  ...{ fileMail: noAccount, createEvent: noAccount, createTicket: noAccount },
}
