import { createHmac, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export const STRIPE_KEY = 'sk_test_house'
export const WEBHOOK_SECRET = 'whsec_house'

type Checkout = { id: string; form: URLSearchParams; key: string }
type Session = { id: string; payment_id: string; cents: number }

/** Starts a fake of Stripe's checkout API, which signs its events like Stripe. */
export async function startStripe() {
  const checkouts: Checkout[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const answer = (status: number, value: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      if (request.headers.authorization !== `Bearer ${STRIPE_KEY}`)
        return answer(401, { error: { message: 'Invalid API Key provided' } })
      if (request.method !== 'POST' || request.url !== '/v1/checkout/sessions')
        return answer(404, { error: { message: 'Unrecognized request URL' } })
      const key = String(request.headers['idempotency-key'])
      const found = checkouts.find((one) => one.key === key)
      const made = found ?? { id: `cs_test_${randomUUID()}`, form: new URLSearchParams(body), key }
      if (!found) checkouts.push(made)
      answer(200, {
        id: made.id,
        object: 'checkout.session',
        url: `https://checkout.stripe.com/c/pay/${made.id}`,
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    checkouts,
    /** Returns the newest checkout as part of an event. */
    newest: (): Session => {
      const { id, form } = checkouts.at(-1) ?? { id: '', form: new URLSearchParams() }
      const cents = Number(form.get('line_items[0][price_data][unit_amount]'))
      return { id, payment_id: form.get('metadata[payment_id]') ?? '', cents }
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Returns a Stripe event about an object. */
export function anEvent(type: string, object: Record<string, unknown>, id = `evt_${randomUUID()}`) {
  return JSON.stringify({ id, object: 'event', type, api_version: '2025-01-01', data: { object } })
}

/** Returns the signature of a body; `at` is in seconds. */
export function signatureOf(body: string, { secret = WEBHOOK_SECRET, at = Date.now() / 1000 } = {}): string {
  const t = Math.floor(at)
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}
