import { Merge } from 'lucide-react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Menu } from '../../../platform/ui/overlays/menu.tsx'
import { useModel } from '../../composer/composer.tsx'
import { sendMessage } from '../chat/send.ts'

/** Asks a model to merge the replies and to state what it took from which. */
export function MergeMenu({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('streaming_blocks')
  const { models } = useModel(sessionId, null)
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
      <p className="text-12 text-ink-3">{t('comparison.hint')}</p>
      <Menu
        align="end"
        trigger={
          <Button size="sm" icon={<Merge aria-hidden className="icon-14" />}>
            {t('comparison.merge')}
          </Button>
        }
        entries={models.map(({ id, name }) => ({
          key: id,
          label: name,
          onSelect: () =>
            void sendMessage({
              ...{ sessionId, text: t('comparison.merge_message'), modelName: id, t },
              onRefused: () => undefined,
            }),
        }))}
      />
    </div>
  )
}
