import { FoldVertical } from 'lucide-react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Markdown } from '../../platform/markdown/markdown.tsx'

/** A summary that replaces the messages above it in later prompts. */
export default function SummaryNote({ text }: { text: string }) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <details className="my-4 rounded-card border border-line bg-surface text-13">
      <summary className="flex min-h-10 cursor-pointer items-center gap-2 px-3 text-ink-2 max-md:min-h-11">
        <FoldVertical aria-hidden className="icon-14 flex-none text-ink-3" />
        {t('context.summarised')}
      </summary>
      <div className="border-t border-line px-3 py-2.5">
        <Markdown text={text} className="text-14" />
      </div>
    </details>
  )
}
