import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { proxiesHere, startFront } from '#tests/front.ts'
import { says } from '#tests/model-server.ts'

const deploy = (name: string) => readFileSync(new URL(`../../../../deploy/${name}`, import.meta.url), 'utf8')

describe('proxy configuration', () => {
  it('passes events, large files, long answers and the caller address through nginx', () => {
    const lines = deploy('nginx.conf')
      .split('\n')
      .map((line) => line.trim())
    for (const line of [
      'proxy_buffering off;',
      'proxy_request_buffering off;',
      'client_max_body_size 0;',
      'proxy_http_version 1.1;',
      'proxy_read_timeout 900s;',
      'proxy_set_header Host $host;',
      'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
      'proxy_set_header X-Forwarded-Proto $scheme;',
    ])
      expect(lines).toContain(line)
  })

  it('passes each event immediately through Caddy and Traefik', () => {
    expect(deploy('Caddyfile')).toMatch(/reverse_proxy 127\.0\.0\.1:3000 \{\s+flush_interval -1\s+\}/)
    expect(deploy('Caddyfile')).not.toMatch(/^\s*encode/m)
    const { http } = load(deploy('traefik.yaml')) as {
      http: { services: { atrium: { loadBalancer: object } } }
    }
    expect(http.services.atrium.loadBalancer).toMatchObject({
      passHostHeader: true,
      responseForwarding: { flushInterval: '-1ns' },
      servers: [{ url: 'http://127.0.0.1:3000' }],
    })
  })
})

describe('behind a real proxy', () => {
  let chat: Chat
  beforeAll(async () => {
    chat = await startChat({
      model: { tokensPerSecond: 50 },
      app: { config: { ATRIUM_TRUST_PROXY: '127.0.0.1' } },
    })
  })
  afterAll(() => chat.close())

  it.each([...proxiesHere, 'none' as const])(
    'words arrive one by one and a file of 9 MB arrives: %s',
    async (proxy) => {
      const front = proxy === 'none' ? null : await startFront(proxy, Number(new URL(chat.url).port))
      try {
        const url = front ? `${front.url}/api/v1` : chat.url
        chat.model.reply([says(...Array.from({ length: 60 }, (_, at) => `word${at} `))])
        const sessionId = await chat.aSession()
        const body = { content: 'Count' }
        const { headers } = chat.user
        const stream = await openStream(`${url}/sessions/${sessionId}/messages`, {
          method: 'POST',
          headers,
          body,
        })
        await stream.ended
        const times = stream.events
          .filter(({ event }) => event.event === 'response_chunk')
          .map(({ at }) => at)
        // 60 words at 50 per second. Buffered into one write, they would take no time.
        expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(400)
        const form = new FormData()
        form.set('file', new Blob(['A line of it.\n'.repeat(650_000)]), 'large.txt')
        const sent = await fetch(`${url}/documents/upload`, { method: 'POST', headers, body: form })
        expect(sent.status).toBe(201)
      } finally {
        await front?.stop()
      }
    },
  )
})
