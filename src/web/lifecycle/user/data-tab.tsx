import { Link } from '@tanstack/react-router'
import { ERASURE_HOURS } from '#shared/lifecycle/erasure/erasure.ts'
import { ExportList, NewArchive } from '../../chat/exports/exports.tsx'
import { LinkList } from '../../chat/shares/shares.tsx'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { buttonLook } from '../../platform/ui/button.tsx'
import { DeleteAccount } from '../erasure/erasure.tsx'
import { Setting } from './setting.tsx'

/** Exports and deletion of the user's data. */
export default function DataTab() {
  const { t } = useTranslation('exports')
  const [mayExport, mayLink, mayUpload] = [useIsOpen('exports'), useIsOpen('links'), useIsOpen('uploads')]
  const mayImport = useIsOpen('import') && mayUpload
  return (
    <>
      {mayImport && (
        <Setting title={t('data.import')} reason={t('data.import_reason')}>
          <Link to="/user/data/import/{-$importId}" className={buttonLook()}>
            {t('data.import_open')}
          </Link>
        </Setting>
      )}
      {mayExport && (
        <Setting title={t('data.archive')} reason={t('data.archive_reason')}>
          <NewArchive />
        </Setting>
      )}
      <Setting title={t('data.taken_out')} reason={t('data.taken_out_reason')}>
        <ExportList />
      </Setting>
      {mayLink && (
        <Setting title={t('data.links')} reason={t('data.links_reason')}>
          <LinkList />
        </Setting>
      )}
      <Setting
        title={t('erasure:account.title')}
        reason={t('erasure:account.reason', { hours: ERASURE_HOURS })}
      >
        <DeleteAccount />
      </Setting>
    </>
  )
}
