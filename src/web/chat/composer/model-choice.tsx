import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import clsx from 'clsx'
import { Check, Search } from 'lucide-react'
import { Fragment, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { AvailableModel } from '#shared/models/connections/connections.ts'
import { listRefusedProviders } from '#shared/models/data-classes/refused-providers.ts'
import { formatMoney } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { isComposing } from '../../platform/lib/enter-key.ts'
import { useMe } from '../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../platform/lib/me/roles.ts'
import { groupModels, shortTokens } from './model-list.ts'
import { useModel } from './use-model.ts'

type ModelChoiceProps = {
  /** The current model. */
  modelName: string | null
  /** A short explanation of the choice. */
  note: string
  onChoose: (id: string) => void
}

/** Returns why the provider of a model may not receive the open chat, by provider. */
function useRefusals(): ReadonlyMap<string, string> {
  const { chatUid } = useParams({ strict: false }) as { chatUid?: string }
  const { data } = useQuery({
    queryKey: ['refused-providers', chatUid],
    queryFn: ({ signal }) => call(listRefusedProviders, { params: { sessionId: chatUid ?? '' }, signal }),
    enabled: chatUid !== undefined,
    staleTime: 0,
  })
  return new Map(data?.items.map(({ provider, reason }) => [provider, reason]))
}

/** The list of available models. */
export function ModelChoice({ modelName, note, onChoose }: ModelChoiceProps) {
  const { t } = useTranslation('streaming_blocks')
  const { models, current, isLoading, isError } = useModel(null, modelName)
  if (models.length > 0)
    return <ModelOptions models={models} currentId={current?.id ?? null} note={note} onChoose={onChoose} />
  return (
    <p className="p-4 text-13 text-ink-2">
      {t(isLoading ? 'model.loading' : isError ? 'model.load_failed' : 'model.empty')}
    </p>
  )
}

type ModelOptionsProps = {
  models: readonly AvailableModel[]
  currentId: string | null
  note: string
  onChoose: (id: string) => void
}

function ModelOptions({ models, currentId, note, onChoose }: ModelOptionsProps) {
  const { t } = useTranslation('streaming_blocks')
  const id = useId()
  const [query, setQuery] = useState('')
  const me = useMe()
  const [active, setActive] = useState(currentId)
  const refusals = useRefusals()
  const field = useRef<HTMLInputElement>(null)
  const groups = groupModels(models, query)
  const ids = groups.flatMap((group) => group.models.map((model) => model.id))
  const activeId = active && ids.includes(active) ? active : (ids[0] ?? null)
  // The list may load after its layer has looked for an element to focus.
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (activeId) document.getElementById(optionId(id, activeId))?.scrollIntoView({ block: 'nearest' })
  }, [activeId, id])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setActive(ids[(ids.indexOf(activeId ?? '') + step + ids.length) % ids.length] ?? null)
    } else if (event.key === 'Enter' && !isComposing(event) && activeId) {
      event.preventDefault()
      onChoose(activeId)
    }
  }
  return (
    <>
      <div className="p-2 pb-1">
        <label className="flex h-8 items-center gap-2 rounded-control border border-line-2 bg-raised px-2.5 text-14 has-focus-visible:border-focus has-focus-visible:outline-2 has-focus-visible:-outline-offset-1 has-focus-visible:outline-focus max-md:h-11">
          <Search aria-hidden className="icon-14 text-ink-3" />
          <input
            ref={field}
            role="combobox"
            aria-expanded="true"
            aria-controls={id}
            aria-activedescendant={activeId ? optionId(id, activeId) : undefined}
            aria-label={t('model.find')}
            placeholder={t('model.find')}
            value={query}
            onChange={({ target }) => setQuery(target.value)}
            onKeyDown={onKeyDown}
            className="min-w-0 flex-1 bg-transparent outline-none"
          />
        </label>
      </div>
      <div
        id={id}
        role="listbox"
        aria-label={t('model.choose')}
        className="max-h-[min(360px,50dvh)] overflow-y-auto px-1 pb-1"
      >
        {groups.map((group) => (
          <Fragment key={group.name}>
            <div className="px-2 pt-1.5 pb-1 text-12 text-ink-3">{t(`model.${group.name}`)}</div>
            {group.models.map((model) => (
              <ModelOption
                key={model.id}
                id={optionId(id, model.id)}
                model={model}
                refusal={refusals.get(model.id.slice(0, model.id.indexOf('/'))) ?? null}
                isCurrent={model.id === currentId}
                isActive={model.id === activeId}
                onChoose={() => onChoose(model.id)}
                onPoint={() => setActive(model.id)}
              />
            ))}
          </Fragment>
        ))}
        {groups.length === 0 && (
          <p className="px-2 py-3 text-13 text-ink-2">{t('model.no_hit', { query })}</p>
        )}
      </div>
      <div className="grid gap-1 border-t border-line px-3.5 py-2 text-12 text-ink-3">
        {note && <p>{note}</p>}
        <p className="flex flex-wrap justify-between gap-x-4 gap-y-1">
          <span>{t('model.price_note')}</span>
          {isSuperAdmin(me) && (
            <Link to="/admin/models" className="text-accent underline-offset-2 hover:underline">
              {t('model.manage')}
            </Link>
          )}
        </p>
      </div>
    </>
  )
}

type ModelOptionProps = {
  id: string
  model: AvailableModel
  /** Why its provider may not receive the open chat. */
  refusal: string | null
  isCurrent: boolean
  isActive: boolean
  onChoose: () => void
  onPoint: () => void
}

function ModelOption({ id, model, refusal, isCurrent, isActive, onChoose, onPoint }: ModelOptionProps) {
  const { t } = useTranslation('streaming_blocks')
  const facts = [
    model.context_tokens === null ? null : t('model.context', { tokens: shortTokens(model.context_tokens) }),
    model.local ? t('model.stays') : null,
  ]
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys.
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      onClick={onChoose}
      onPointerMove={onPoint}
      className={clsx(
        'grid cursor-pointer grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-2.5 gap-y-0.5 rounded-control px-2.5 py-[7px]',
        isActive && 'bg-surface-2',
      )}
    >
      {isCurrent ? <Check aria-hidden className="icon-14 text-accent" /> : <span />}
      <span className="truncate text-13 font-medium">{fullName(model)}</span>
      <span className="num text-12 text-ink-3">{priceOf(model, t)}</span>
      <span className="col-start-2 text-12 text-ink-3">{facts.filter(Boolean).join(' · ')}</span>
      {refusal && <span className="col-span-2 col-start-2 text-12 text-danger">{refusal}</span>}
    </div>
  )
}

function priceOf({ input_price, output_price }: AvailableModel, t: (key: string) => string): string {
  if (input_price === null || output_price === null) return t('model.unpriced')
  if (input_price === 0 && output_price === 0) return t('model.free')
  return `${formatMoney(input_price)} / ${formatMoney(output_price)}`
}

function fullName({ provider_name, name }: AvailableModel): string {
  return name.toLowerCase().startsWith(provider_name.toLowerCase()) ? name : `${provider_name} / ${name}`
}

function optionId(list: string, model: string): string {
  return `${list}-${model}`
}
