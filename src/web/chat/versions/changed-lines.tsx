import type { LineChange } from '#shared/chat/checkpoints/checkpoints.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'

const looks = { same: 'text-ink-2', added: 'bg-success-soft', removed: 'bg-danger-soft' } as const
const signs = { same: '', added: '+', removed: '−' } as const

type ChangedLinesProps = {
  title: string
  lines: readonly LineChange[]
  /** Level of its heading in the page. */
  heading?: 'h3' | 'h4'
}

/** The lines of a text that were added, removed or stayed between two versions. */
export function ChangedLines({ title, lines, heading: Heading = 'h4' }: ChangedLinesProps) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <div className="max-h-80 overflow-y-auto rounded-card border border-line text-13">
      <Heading className="border-b border-line bg-surface px-3.5 py-2 font-medium">{title}</Heading>
      {lines.map(({ kind, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines may be alike and never move.
        <div key={at} className={`flex gap-2 px-3.5 py-0.5 ${looks[kind]}`}>
          <span aria-hidden className="num w-3 flex-none">
            {signs[kind]}
          </span>
          {kind !== 'same' && <span className="sr-only">{t(`checkpoints.${kind}`)}: </span>}
          <span dir="auto" className="min-w-0 wrap-anywhere whitespace-pre-wrap">
            {text}
          </span>
        </div>
      ))}
    </div>
  )
}
