import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import {
  CONNECTION_MESSAGE,
  type ConnectionMessage,
} from '#shared/models/service-connections/service-connections.ts'

/** The last page of the window: it reports the result to the page that opened it, and closes itself. */
export async function sendEnd(
  reply: FastifyReply,
  status: ConnectionMessage['status'],
  detail: string,
): Promise<void> {
  const nonce = randomBytes(16).toString('base64')
  const message: ConnectionMessage = { type: CONNECTION_MESSAGE, status, detail }
  const said = JSON.stringify(message).replaceAll('<', '\\u003c')
  await reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', `default-src 'none'; script-src 'nonce-${nonce}'`)
    .header('cache-control', 'no-store')
    // If Google's pages cut off the opener, the channel still reaches it.
    .send(
      `<!doctype html><meta charset="utf-8"><title>Atrium</title><p>${escapeHtml(detail)}</p>` +
        `<script nonce="${nonce}">const said = ${said}
if (opener) opener.postMessage(said, location.origin)
else new BroadcastChannel(said.type).postMessage(said)
close()</script>`,
    )
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
