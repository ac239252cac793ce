import { AppError } from '#shared/platform/errors.ts'
import type { Prospect } from '#shared/tools/prospecting/prospecting.ts'
import { tryJson } from '../../platform/outbound/foreign/foreign.ts'
import type { Platform } from '../../platform/platform.ts'

const SECONDS = 20
/** Maximum characters shown of a CRM's message. */
const MAX_REASON_CHARACTERS = 200

/** Sends one prospect as JSON. Returns null if the CRM accepted it, otherwise the reason. */
export async function sendToCrm(
  { outbound, config }: Pick<Platform, 'outbound' | 'config'>,
  prospect: Prospect,
  key: string,
): Promise<string | null> {
  const url = config.CRM_URL ?? ''
  try {
    const answer = await outbound.fetch(url, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'idempotency-key': key },
        ...(config.CRM_KEY && { authorization: `Bearer ${config.CRM_KEY}` }),
      },
      body: JSON.stringify(prospect),
      ...{ trusted: [url], seconds: SECONDS, maxBytes: 64 * 1024 },
    })
    return answer.ok ? null : saidBy(answer.text()) || `The CRM answered ${answer.status}.`
  } catch (error) {
    return error instanceof AppError ? error.detail : 'The CRM could not be reached.'
  }
}

/** Returns the sentence in a JSON answer: `message`, `detail` or `error`. */
function saidBy(text: string): string {
  const { message, detail, error } = Object(tryJson(text)) as Record<string, unknown>
  const said = [message, detail, error].find((one) => typeof one === 'string')
  return String(said ?? '')
    .slice(0, MAX_REASON_CHARACTERS)
    .toWellFormed()
}
