import type { FuzzedRequest } from './requests.ts'
import type { Who } from './rows.ts'
import type { Known } from './values.ts'

/** A request that its route's own code answers, sent before all others. */
export type CertainRequest = { route: string; who: Who; asked: FuzzedRequest }

/** For routes that need rows which belong together, or somebody else's; chance finds those too seldom. */
export function certainRequests(known: Known): CertainRequest[] {
  const first = (name: string) => String(known(name)[0])
  const main = `/sessions/${first('sessionId')}`
  const [{ id = '', ...target } = {}] = known('place to return to') as Record<string, string>[]
  const ask = (route: string, path: string, sent?: object, who: Who = 'user'): CertainRequest => {
    const [method = ''] = route.split(' ')
    const headers: FuzzedRequest['headers'] = sent ? { 'content-type': 'application/json' } : {}
    return { route, who, asked: { method, path, headers, body: sent && JSON.stringify(sent) } }
  }
  return [
    ask('GET /sessions/{sessionId}/active-branch', `${main}/active-branch`),
    ask(
      'POST /sessions/{sessionId}/messages/{messageId}/generate',
      `${main}/messages/${first('messageId')}/generate`,
      {},
    ),
    ask(
      'POST /sessions/{sessionId}/navigate-to-checkpoint',
      `/sessions/${id}/navigate-to-checkpoint`,
      target,
    ),
    ask(
      'POST /sessions/{sessionId}/messages/{messageId}/regenerate',
      `${main}/messages/${String(known('messageId')[1])}/regenerate`,
      {},
    ),
    ask('POST /sessions/{sessionId}/provide-input', `/sessions/${first('session that asks')}/provide-input`, {
      checkpoint_name: 'waiting_for_input_1',
      input: 'This one',
      input_type: 'text',
    }),
    ask('POST /tools/{toolId}/execute', '/tools/calculator/execute', {
      inputs: { a: 1, b: 2, operation: 'add' },
    }),
    ask(
      'POST /sessions/{sessionId}/test-event',
      `/sessions/${first('session of the root')}/test-event`,
      {},
      'super_admin',
    ),
    {
      ...{ route: 'POST /input-files', who: 'user' },
      asked: {
        ...{ method: 'POST', path: '/input-files', body: aFile('a.txt', 'a') },
        headers: { 'content-type': MULTIPART },
      },
    },
  ]
}

export const MULTIPART = 'multipart/form-data; boundary=b'
export const aFile = (name: string, content: string) =>
  `--b\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n${content}\r\n--b--\r\n`
