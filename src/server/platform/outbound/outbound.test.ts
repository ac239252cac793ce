import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOutbound } from './outbound.ts'
import { isPrivateAddress } from './private-address.ts'

let server: Server
let url = ''
let answer: RequestListener = (_, response) => void response.end('{}')
const outbound = createOutbound()
beforeAll(async () => {
  server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await outbound.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const trusting = () => ({ trusted: [url] })

describe('non-public addresses', () => {
  it.each([
    ...['127.0.0.1', '0.0.0.0', '10.1.2.3', '100.64.0.1', '169.254.169.254', '172.31.255.255', '192.168.0.1'],
    ...[
      '192.0.2.7',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      '::',
      'fe80::1',
      'fc00::1',
      'fd12::1',
    ],
    ...['ff02::1', '::ffff:127.0.0.1', '::ffff:a00:1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1'],
    ...['fe80::1%eth0', 'no address', ''],
  ])('P9 %s is private [G-41]', (address) => {
    expect(isPrivateAddress(address)).toBe(true)
  })

  it.each([
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '2a00:1450:4007::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('P9 %s is public', (address) => {
    expect(isPrivateAddress(address)).toBe(false)
  })

  it.each([
    ...['http://127.0.0.1/', 'http://2130706433/', 'http://0177.0.0.1/', 'http://0x7f.1/', 'http://127.1/'],
    ...[
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://[fd00::1]:8080/',
      'http://169.254.169.254/latest',
    ],
    ...['http://localhost/', 'http://LOCALHOST/', 'http://①②⑦.⓪.⓪.①/'],
    ...['http://localhost./', 'http://a.localhost/', 'http://localhost.localdomain/', 'http://nas.local/'],
    ...['http://metadata.google.internal/', 'http://router.home.arpa./'],
  ])('P9 refuses %s', async (address) => {
    await expect(outbound.fetch(address)).rejects.toMatchObject({ code: 'invalid' })
  })

  it.each(['ftp://example.com/', 'file:///etc/passwd', 'http://name:secret@example.com/', 'nonsense', ''])(
    'P9 refuses %s, which is not a web address',
    async (address) => {
      await expect(outbound.fetch(address)).rejects.toMatchObject({ code: 'invalid' })
    },
  )

  it('P9 refuses them after a redirect, even from a configured address', async () => {
    answer = (_, response) => void response.writeHead(302, { location: 'http://localhost:8099/secret' }).end()
    await expect(outbound.fetch(url, trusting())).rejects.toMatchObject({ code: 'invalid' })
    answer = (_, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    await expect(outbound.fetch(url, trusting())).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('outbound fetch', () => {
  it('accepts a configured private address and follows redirects within it', async () => {
    answer = (request, response) => {
      if (request.url === '/old') response.writeHead(301, { location: '/new' }).end()
      else response.end(JSON.stringify({ at: request.url }))
    }
    const found = await outbound.fetch(`${url}/old`, trusting())
    expect(found).toMatchObject({ ok: true, status: 200, url: `${url}/new` })
    expect(await found.json()).toEqual({ at: '/new' })
  })

  it('fails after five redirects', async () => {
    answer = (_, response) => void response.writeHead(302, { location: '/again' }).end()
    await expect(outbound.fetch(url, trusting())).rejects.toThrow('redirects too often')
  })

  it('turns a form into a plain request after 303 and preserves it after 308', async () => {
    const seen: string[] = []
    answer = (request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () => {
        seen.push(`${request.method} ${request.url} ${body}`)
        if (request.url === '/see') response.writeHead(303, { location: '/end' }).end()
        else if (request.url === '/moved') response.writeHead(308, { location: '/end' }).end()
        else response.end()
      })
    }
    await outbound.fetch(`${url}/see`, { ...trusting(), method: 'POST', body: 'a=1' })
    await outbound.fetch(`${url}/moved`, { ...trusting(), method: 'POST', body: 'a=1' })
    expect(seen).toEqual(['POST /see a=1', 'GET /end ', 'POST /moved a=1', 'POST /end a=1'])
  })

  it('refuses an answer that is too large, whatever its announced size or compression', async () => {
    const limits = { ...trusting(), maxBytes: 1000 }
    answer = (_, response) => void response.end('x'.repeat(1001))
    await expect(outbound.fetch(url, limits)).rejects.toMatchObject({ code: 'too_large' })
    answer = (_, response) => {
      response.write('x'.repeat(600))
      response.end('x'.repeat(600))
    }
    await expect(outbound.fetch(url, limits)).rejects.toMatchObject({ code: 'too_large' })
    answer = (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1_000_000)))
    }
    await expect(outbound.fetch(url, limits)).rejects.toMatchObject({ code: 'too_large' })
    answer = (_, response) => void response.end('x'.repeat(1000))
    expect((await outbound.fetch(url, limits)).bytes).toHaveLength(1000)
  })

  it('reports which server did not answer, and an abort', async () => {
    answer = () => undefined
    await expect(outbound.fetch(url, { ...trusting(), seconds: 0.1 })).rejects.toThrow(
      '127.0.0.1 did not answer within 0.1 seconds.',
    )
    const stop = new AbortController()
    const waiting = outbound.fetch(url, { ...trusting(), signal: stop.signal })
    stop.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
    answer = (_, response) => void response.end('<html>')
    await expect(outbound.fetch(url, trusting()).then((found) => found.json())).rejects.toThrow(
      'not answer with JSON',
    )
    await expect(
      outbound.fetch('http://127.0.0.1:9', { trusted: ['http://127.0.0.1:9'] }),
    ).rejects.toMatchObject({
      code: 'unavailable',
    })
  })
})
