import { Newspaper, Zap } from 'lucide-react'
import type { Company } from '#shared/tools/prospecting/prospecting.ts'
import { formatNumber, useTranslation } from '../../web/platform/ui/card-parts.ts'
import { Checkbox } from '../../web/platform/ui/checkbox.tsx'

type CompanyCardProps = { company: Company; isChosen: boolean; isLocked: boolean; onToggle: () => void }

/** Shows a company to select: its score, its challenges, and other facts. */
export function CompanyCard({ company, isChosen, isLocked, onToggle }: CompanyCardProps) {
  const { t } = useTranslation('tool_ui')
  const { société, score, enjeux, CA, taille, secteur, actualites, shake_info, contacts_count } = company
  const facts = [
    { name: t('prospecting.revenue'), value: CA === null ? null : euros(CA) },
    { name: t('prospecting.size'), value: taille },
    { name: t('prospecting.prospects'), value: formatNumber(contacts_count) },
  ]
  return (
    <li className="prospect-company" data-chosen={isChosen || undefined}>
      <div className="flex items-start gap-3">
        <ScoreRing score={score} />
        <div className="min-w-0 flex-1">
          <h4 className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 font-medium">
            {société}
            {enjeux.length > 0 && (
              <span className="prospect-pill" title={enjeux.join(', ')}>
                <Zap aria-hidden className="icon-12" />
                {t('prospecting.challenges', { count: enjeux.length })}
                <span className="sr-only">: {enjeux.join(', ')}</span>
              </span>
            )}
          </h4>
          {secteur && <p className="text-12 text-ink-2">{secteur}</p>}
        </div>
        <Checkbox
          aria-label={t('prospecting.choose', { name: société })}
          checked={isChosen}
          disabled={isLocked}
          onCheckedChange={onToggle}
        />
      </div>
      <dl className="prospect-facts">
        {facts.map(
          ({ name, value }) =>
            value !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd className="num">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {actualites && (
        <p className="text-13 text-ink-2">
          <Newspaper aria-hidden className="icon-14 mr-1 inline" />
          {actualites}
        </p>
      )}
      {shake_info && (
        <p className="prospect-internal num">
          <span>{t('prospecting.internal')}</span>
          <span>
            {t('prospecting.gsv')} <b>{euros(shake_info.gsv)}</b>
          </span>
          <span>
            {t('prospecting.users')} <b>{formatNumber(shake_info.utilisateurs)}</b>
          </span>
          <span>
            {t('prospecting.projects')} <b>{formatNumber(shake_info.projets)}</b>
          </span>
        </p>
      )}
      <Sources company={company} />
    </li>
  )
}

/** Lists the distinct source pages of the facts. */
function Sources({ company }: { company: Company }) {
  const { t } = useTranslation('tool_ui')
  const pages = [...new Map(company.sources.map((source) => [source.url, source])).values()]
  if (pages.length === 0) return null
  return (
    <p className="text-12 text-ink-3">
      {t('prospecting.sources')}{' '}
      {pages.map(({ url, name }, at) => (
        <span key={url}>
          {at > 0 && ', '}
          <a href={url} target="_blank" rel="noopener noreferrer" className="underline">
            {name}
          </a>
        </span>
      ))}
    </p>
  )
}

/** Green above 7, orange above 4, otherwise red; filled by a tenth per point. */
export function ScoreRing({ score }: { score: number }) {
  const { t } = useTranslation('tool_ui')
  const level = score > 7 ? 'high' : score > 4 ? 'middle' : 'low'
  return (
    <span
      role="img"
      aria-label={t('prospecting.score', { score: formatNumber(score) })}
      className="prospect-score num"
      data-level={level}
      style={{ '--fill': `${score * 10}%` } as React.CSSProperties}
    >
      <span aria-hidden>{formatNumber(score)}</span>
    </span>
  )
}

const euros = (amount: number) =>
  formatNumber(amount, { style: 'currency', currency: 'EUR', notation: 'compact', maximumFractionDigits: 1 })
