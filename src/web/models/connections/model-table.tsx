import { Search } from 'lucide-react'
import { useState } from 'react'
import type { ModelConnection } from '#shared/models/connections/connections.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Input } from '../../platform/ui/input.tsx'
import { ModelRow } from './model-row.tsx'

/** Maximum number of models shown; users find the rest by name. */
const SHOWN = 50
const FILTER_FROM = 12

/** Models of a connection: context size, prices and availability. */
export function ModelTable({ connection }: { connection: ModelConnection }) {
  const { t } = useTranslation('admin')
  const [typed, setTyped] = useState('')
  const { models } = connection
  const words = typed.trim().toLowerCase()
  const found = models.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(words))
  const hidden = found.length - SHOWN
  if (models.length === 0)
    return <p className="border-t border-line px-12 py-3 text-13 text-ink-3">{t('models.no_models')}</p>
  return (
    <div className="border-t border-line bg-bg">
      {models.length > FILTER_FROM && (
        <div className="px-3.5 pt-3 pb-1 lg:pl-12">
          <Input
            quiet
            aria-label={t('models.filter')}
            placeholder={t('models.filter')}
            className="max-w-70"
            icon={<Search aria-hidden />}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
      )}
      <div className="overflow-x-auto">
        <table className="w-full min-w-140 border-collapse text-13">
          <thead>
            <tr className="border-b border-line text-12 text-ink-3 [&>th]:px-3.5 [&>th]:py-1.5 [&>th]:font-regular">
              <th scope="col" className="text-left lg:pl-12!">
                {t('models.columns.model')}
              </th>
              <th scope="col" className="text-right">
                {t('models.columns.context')}
              </th>
              <th scope="col" className="text-right">
                {t('models.columns.input')}
              </th>
              <th scope="col" className="text-right">
                {t('models.columns.output')}
              </th>
              <th scope="col" className="text-right">
                {t('models.columns.offered')}
              </th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, SHOWN).map((model) => (
              <ModelRow key={model.id} connectionId={connection.id} model={model} />
            ))}
          </tbody>
        </table>
      </div>
      {found.length === 0 && (
        <p className="px-3.5 py-3 text-13 text-ink-3 lg:pl-12">{t('models.no_match')}</p>
      )}
      {hidden > 0 && (
        <p className="num border-t border-line px-3.5 py-2.5 text-12 text-ink-3 lg:pl-12">
          {t('models.more_models', { count: hidden })}
        </p>
      )}
    </div>
  )
}
