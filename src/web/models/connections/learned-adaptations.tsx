import { useQuery } from '@tanstack/react-query'
import {
  forgetAdaptations,
  type LearnedAdaptation,
  listAdaptations,
} from '#shared/models/connections/adaptations.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Button } from '../../platform/ui/button.tsx'
import { refetchConnections } from './use-connections.ts'

/** Maximum number of lines shown. A reset clears all of them. */
const SHOWN = 20

/** Adaptations learned from refused calls, with a reset button. Renders nothing when there are none. */
export function LearnedAdaptations({ connectionId }: { connectionId: string }) {
  const { t } = useTranslation('admin')
  const { data = [], refetch } = useQuery({
    queryKey: ['model-adaptations', connectionId],
    queryFn: ({ signal }) => call(listAdaptations, { params: { connectionId }, signal }),
  })
  if (data.length === 0) return null
  const forget = async () => {
    await call(forgetAdaptations, { params: { connectionId }, query: {} })
    await Promise.all([refetch(), refetchConnections()])
  }
  return (
    <section className="border-t border-line px-3.5 py-3 text-12 text-ink-2 lg:pl-12">
      <h3 className="font-medium">{t('models.learned.title')}</h3>
      <p className="text-ink-3">{t('models.learned.explain')}</p>
      <ul className="my-2 grid gap-1">
        {data.slice(0, SHOWN).map((one) => (
          <Learned key={`${one.model_id} ${one.name} ${one.about ?? ''}`} adaptation={one} />
        ))}
      </ul>
      {data.length > SHOWN && (
        <p className="text-ink-3">{t('models.learned.more', { count: data.length - SHOWN })}</p>
      )}
      <Button size="sm" onClick={() => void forget()}>
        {t('models.learned.forget')}
      </Button>
    </section>
  )
}

function Learned({ adaptation }: { adaptation: LearnedAdaptation }) {
  const { t } = useTranslation('admin')
  const { model_id, name, about, value, said } = adaptation
  const words = { about, value: value === undefined ? '' : formatNumber(value) }
  return (
    <li title={said}>
      <span className="font-mono">{model_id}</span>
      {' · '}
      {t(`models.learned.names.${name}`, words)}
    </li>
  )
}
