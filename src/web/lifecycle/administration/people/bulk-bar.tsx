import { Download, X } from 'lucide-react'
import { useState } from 'react'
import type { ManagedUser } from '#shared/identity/administration/administration.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import { savePeople } from './save-people.ts'
import type { BulkChange } from './use-bulk.ts'

type BulkBarProps = { selected: ManagedUser[]; onClear: () => void }

/** Actions on the selected people. */
export function BulkBar({ selected, onClear }: BulkBarProps) {
  const { t } = useTranslation('admin')
  const [asked, setAsked] = useState<BulkChange['kind'] | null>(null)
  const isSuper = isSuperAdmin(useMe())
  const isBilled = selected.some(({ balance }) => balance !== null)
  if (selected.length === 0) return null
  return (
    <div
      role="toolbar"
      aria-label={t('administration.bulk.name')}
      className="relative mb-3 flex flex-wrap items-center gap-2 rounded-card border border-line bg-surface px-3 py-2"
    >
      <span className="num mr-2 text-13 font-medium max-md:basis-full max-md:py-1">
        {t('administration.bulk.selected', { count: selected.length })}
      </span>
      <Button size="sm" onClick={() => setAsked('role')}>
        {t('administration.bulk.role.open')}
      </Button>
      <Button size="sm" onClick={() => setAsked('group')}>
        {t('administration.bulk.group.open')}
      </Button>
      {isSuper && isBilled && (
        <Button size="sm" onClick={() => setAsked('top_up')}>
          {t('administration.bulk.top_up.open')}
        </Button>
      )}
      <Button
        size="sm"
        icon={<Download aria-hidden className="icon-14" />}
        onClick={() => savePeople(t, selected)}
      >
        {t('administration.bulk.export')}
      </Button>
      <Button size="sm" variant="danger-ghost" onClick={() => setAsked('deactivate')}>
        {t('administration.bulk.deactivate.open')}
      </Button>
      <span className="flex-1 max-md:hidden" />
      <IconButton
        size="sm"
        name={t('administration.bulk.clear')}
        className="max-md:absolute max-md:top-1 max-md:right-1"
        onClick={onClear}
      >
        <X aria-hidden className="icon" />
      </IconButton>
      {asked && <BulkDialog kind={asked} people={selected} onClose={() => setAsked(null)} onDone={onClear} />}
    </div>
  )
}
