import { Lock } from 'lucide-react'
import type { McpServer } from '#shared/tools/own-tools/mcp-servers.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { currentLanguage, useTranslation } from '../../platform/i18n/i18n.ts'
import { writePlace } from './server-draft.ts'

/** Facts about a server: its address and how it describes itself. */
export function ServerFacts({ server: set }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const { server, address, secrets, kind, oauth } = set
  const facts: [string, string][] = [
    ...fact(t(`servers.place_${kind}`), address ? writePlace(address) : ''),
    ...fact(t('servers.kind'), t(`servers.transport_${kind}`)),
    ...fact(t('servers.signed_in'), oauth ? t('servers.by_account') : ''),
    ...fact(t(`servers.secrets_${kind}`), secrets.map(({ name }) => name).join(', ')),
    ...fact(t('servers.itself'), `${server.name} ${server.version}`.trim()),
    ...fact(t('servers.protocol'), server.protocol),
    ...fact(t('servers.offers'), listOf(server.offers.map((one) => t(`servers.offer.${one}`, one)))),
  ]
  return (
    <section>
      <h2 className="mb-1.5 text-13 font-medium">{t('servers.server')}</h2>
      <dl className="divide-y divide-line rounded-card border border-line bg-bg">
        {facts.map(([name, value]) => (
          <div key={name} className="flex gap-3 px-3.5 py-2 text-13">
            <dt className="w-20 flex-none text-ink-2">{name}</dt>
            <dd className="m-0 min-w-0 flex-1 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {kind === 'stdio' && (
        <p className="mt-1.5 flex gap-1.5 text-12 text-ink-3">
          <Lock aria-hidden className="icon-12 mt-0.5 flex-none" />
          {t('servers.commands')}
        </p>
      )}
    </section>
  )
}

/** One that has something to say. */
const fact = (name: string, value: string): [string, string][] => (value === '' ? [] : [[name, value]])

/** Joins words into a list in the user's language. */
export const listOf = (words: string[]): string =>
  new Intl.ListFormat(currentLanguage(), { type: 'unit' }).format(words)

/** Formats milliseconds for display. */
export const msText = (ms: number): string =>
  ms < 10_000
    ? formatNumber(ms, { style: 'unit', unit: 'millisecond', unitDisplay: 'short' })
    : formatNumber(ms / 1000, {
        style: 'unit',
        unit: 'second',
        unitDisplay: 'short',
        maximumFractionDigits: 0,
      })
