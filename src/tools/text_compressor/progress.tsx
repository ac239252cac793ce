import { PhaseTrack } from '../../web/platform/citations/citations.ts'
import { formatNumber, type TFunction, useTranslation } from '../../web/platform/ui/card-parts.ts'
import { FillBar } from '../../web/platform/ui/files/file-tile.tsx'
import { type BadgeState, badges, type Compression, overallProgress } from './read-compression.ts'
import { useEased } from './use-eased.ts'

const states: Record<BadgeState, 'pending' | 'started' | 'completed'> = {
  ...{ idle: 'pending', active: 'started', done: 'completed' },
}

/** Shows the progress: a percentage, the current work, a bar, and the phases. */
export function Progress({ work }: { work: Compression }) {
  const { t } = useTranslation('tool_ui')
  const { title, subtitle } = sayNow(work, t)
  const percent = Math.round(useEased(overallProgress(work)) * 100)
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <b className="num text-18 font-semibold">{t('text_compressor.percent', { percent })}</b>
        <span className="text-13 font-medium">{title}</span>
        <span className="num text-12 text-ink-3">{subtitle}</span>
      </div>
      <div
        role="progressbar"
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <FillBar value={percent} className="h-1" />
      </div>
      <PhaseTrack
        phases={badges.map((id) => ({
          ...{ id, name: t(`text_compressor.phase.${id}`), status: states[work.badges[id]] },
        }))}
      />
    </div>
  )
}

function sayNow({ badges: { analysis, final }, waves, prep }: Compression, t: TFunction) {
  const wave = waves.at(-1)
  if (final !== 'idle' || analysis !== 'done' || !wave) {
    const phase = final !== 'idle' ? 'final' : analysis === 'done' ? 'summarization' : 'analysis'
    return { title: t(`text_compressor.doing.${phase}`), subtitle: '' }
  }
  const counts = { done: formatNumber(wave.processed), of: formatNumber(wave.total) }
  const passages = formatNumber(prep?.passages ?? 0)
  return {
    title: t('text_compressor.wave', { number: waves.length }),
    subtitle: t(waves.length === 1 ? 'text_compressor.parts' : 'text_compressor.summaries', {
      ...{ ...counts, passages },
    }),
  }
}
