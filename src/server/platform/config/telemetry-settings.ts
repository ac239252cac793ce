import * as z from 'zod'

const url = z.url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
const header = /^\s*[\w!#$%&'*+.^`|~-]+\s*=/

/** Headers in the OpenTelemetry format: comma-separated, percent-encoded `name=value` pairs. */
const headers = z
  .string()
  .default('')
  .transform((text) => text.split(',').filter((one) => one.trim() !== ''))
  .refine(
    (parts) => parts.every((part) => header.test(part) && decoded(part) !== null),
    'must be headers such as authorization=Bearer%20secret, separated by commas',
  )
  .transform((parts) =>
    Object.fromEntries(
      parts.map((part) => {
        const at = part.indexOf('=')
        return [part.slice(0, at).trim(), decoded(part.slice(at + 1).trim()) ?? '']
      }),
    ),
  )

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/**
 * Environment variables for metrics and traces; part of the settings in `config.ts`. Three names come from the OpenTelemetry
 * standard. Listed in docs/OPERATIONS.md under "Metrics and traces".
 */
export const telemetrySettings = {
  ATRIUM_METRICS: z.enum(['off', 'loopback']).default('off'),
  ATRIUM_METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headers,
  OTEL_SERVICE_NAME: z.string().max(100, 'may have at most 100 characters').default('atrium'),
}
