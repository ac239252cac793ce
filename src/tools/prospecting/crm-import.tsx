import { useMutation } from '@tanstack/react-query'
import { CircleCheck, RotateCcw } from 'lucide-react'
import { importProspects, prospectColumns } from '#shared/tools/prospecting/prospecting.ts'
import { ApiError } from '../../web/platform/lib/api/api-error.ts'
import { call } from '../../web/platform/lib/api/call.ts'
import { Button } from '../../web/platform/ui/button.tsx'
import { Callout } from '../../web/platform/ui/callout.tsx'
import { formatNumber, type TFunction, useTranslation } from '../../web/platform/ui/card-parts.ts'

/** Sends the prospects to the CRM, shows how many were accepted and why others were refused, and sends those again. */
export function CrmImport({ executionId }: { executionId: string }) {
  const { t } = useTranslation('tool_ui')
  const sending = useMutation({
    mutationFn: () => call(importProspects, { params: { executionId }, body: { target: 'crm' } }),
  })
  const { data, error, isPending } = sending
  return (
    <div className="grid gap-3">
      {error && (
        <Callout
          tone="danger"
          title={t(
            error instanceof ApiError && error.code === 'not_available'
              ? 'prospecting.no_crm'
              : 'prospecting.not_imported',
          )}
        >
          {error instanceof ApiError && error.code !== 'not_available' ? error.detail : t('prospecting.kept')}
        </Callout>
      )}
      {data && data.imported > 0 && (
        <p role="status" className="num flex items-center gap-2 text-13 text-success">
          <CircleCheck aria-hidden className="icon" />
          {t('prospecting.imported', { count: data.imported, shown: formatNumber(data.imported) })}
        </p>
      )}
      {data && data.failed > 0 && (
        <div className="prospect-scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('prospecting.person')}</th>
                <th scope="col">{prospectColumns[0]}</th>
                <th scope="col">{t('prospecting.crm_said')}</th>
              </tr>
            </thead>
            <tbody>
              {data.failures.map(({ société, 'prénom nom': person, reason }) => (
                <tr key={`${société} ${person}`}>
                  <td>{person}</td>
                  <td>{société}</td>
                  <td>{reasonFor(t, reason)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data?.failed !== 0 && (
        <div className="prospect-foot">
          <Button
            variant="primary"
            busy={isPending}
            icon={data && <RotateCcw aria-hidden className="icon-14" />}
            onClick={() => sending.mutate()}
          >
            {data ? t('prospecting.import_again', { count: data.failed }) : t('prospecting.import')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Returns the CRM's own words, or ours if it gave none. */
function reasonFor(t: TFunction, reason: string): string {
  const status = /^The CRM answered (\d+)\.$/.exec(reason)?.[1]
  return status ? t('prospecting.crm_answered', { status }) : reason
}
