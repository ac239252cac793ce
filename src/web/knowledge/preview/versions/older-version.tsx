import type { Document } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { useRestore } from './use-versions.ts'

/** A note that an older version is shown, with links. */
export function OlderVersion({ document, onNewest }: { document: Document; onNewest: () => void }) {
  const { t } = useTranslation('documents')
  const { version, newest_version: newest } = document
  const isMine = useMe()?.id === document.user_id
  const restore = useRestore(document, onNewest)
  return (
    <Callout
      tone="accent"
      className="m-3 flex-wrap"
      action={
        <span className="flex flex-wrap gap-1.5">
          {isMine && (
            <Button size="sm" busy={restore.isPending} onClick={() => restore.mutate(version)}>
              {t('versions.restore')}
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={onNewest}>
            {t('versions.show_newest')}
          </Button>
        </span>
      }
    >
      {t('versions.older', { version, newest })}
    </Callout>
  )
}
