import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type ApiDescription, getToolSet, type ToolSet } from '#shared/tools/own-tools/openapi.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { call } from '../../../../platform/lib/api/call.ts'
import { useToken } from '../../../../platform/lib/me/token.ts'
import { Callout } from '../../../../platform/ui/callout.tsx'
import { Skeletons } from '../../../../platform/ui/states/skeleton.tsx'
import { View } from '../../../../platform/ui/view.tsx'
import { ToolsLink } from '../tools-link.tsx'
import { ChooseDescription, type Where } from './choose-description.tsx'
import { ImportForm } from './import-form.tsx'

/** Creates tools from an API description, or updates those of a set (`?set=…`). */
export function OpenApiView() {
  const { t } = useTranslation('own_tools')
  const { set: setId } = useSearch({ strict: false }) as { set?: string }
  const token = useToken()
  const { data: set, error } = useQuery({
    queryKey: ['tool-set', setId],
    queryFn: ({ signal }) => call(getToolSet, { params: { toolSetId: setId ?? '' }, signal }),
    enabled: token !== null && setId !== undefined,
  })
  return (
    <View title={t('openapi.title')}>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-[1120px] px-8 pb-16 max-md:px-4">
          <ToolsLink />
          {error && <Callout tone="danger">{errorText(t, error)}</Callout>}
          {setId === undefined || set ? (
            <Import set={set ?? null} />
          ) : (
            !error && <Skeletons sizes={['h-8 w-full', 'h-8 w-11/12']} />
          )}
        </div>
      </div>
    </View>
  )
}

function Import({ set }: { set: ToolSet | null }) {
  const [read, setRead] = useState<{ where: Where; description: ApiDescription } | null>(null)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <ChooseDescription
        address={set?.source?.address ?? ''}
        onRead={(where, description) => setRead({ where, description })}
      />
      {read && (
        <ImportForm
          key={`${read.description.title} ${read.description.characters}`}
          {...{ set, where: read.where, description: read.description }}
        />
      )}
    </div>
  )
}
