import { ArrowUpDown, Grid3x3, LayoutGrid, List, type LucideIcon, Rows3, Star } from 'lucide-react'
import { Category, DocumentStatus } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Button } from '../../../../platform/ui/button.tsx'
import { IconButton } from '../../../../platform/ui/icon-button.tsx'
import { Menu } from '../../../../platform/ui/overlays/menu.tsx'
import { orders, sizeRanges, sizeRangeText } from '../filter-choices.ts'
import { type CardVariant, cardVariants, type LibraryFilter } from '../library-filter.ts'
import { ClassChip } from './class-chip.tsx'
import { DateChip } from './date-chip.tsx'
import { FilterChip } from './filter-chip.tsx'
import { LanguageChip } from './language-chip.tsx'
import { SourceChip } from './source-chip.tsx'
import { WorkspaceChip } from './workspace-chip.tsx'
import './filter-chip.css'

type Props = {
  filter: LibraryFilter
  change: (part: Partial<LibraryFilter>) => void
  workspaceId: string | null
  chatTitle: string | null
}

/** The filters, order and layout of the list. */
export function FilterBar({ filter, change, workspaceId, chatTitle }: Props) {
  const { t } = useTranslation('documents')
  const { type, status, tag, chat, starred } = filter
  return (
    <div className="library-filters">
      <FilterChip
        name={t('filter.type')}
        value={type && t(`category.${type}`)}
        onClear={() => change({ type: null })}
        entries={Category.options.map((option) => ({
          key: option,
          label: t(`category.${option}`),
          checked: option === type,
          onSelect: () => change({ type: option }),
        }))}
      />
      <FilterChip
        name={t('filter.status')}
        value={status && t(`status.${status}`)}
        onClear={() => change({ status: null })}
        entries={DocumentStatus.options.map((option) => ({
          key: option,
          label: t(`status.${option}`),
          checked: option === status,
          onSelect: () => change({ status: option }),
        }))}
      />
      <WorkspaceChip workspaceId={workspaceId} filter={filter} />
      <DateChip filter={filter} change={change} />
      <FilterChip
        name={t('filter.size')}
        value={sizeRangeText(t, filter)}
        onClear={() => change({ minSize: null, maxSize: null })}
        entries={sizeRanges.map((range) => ({
          key: sizeRangeText(t, range) ?? '',
          label: sizeRangeText(t, range),
          checked: range.minSize === filter.minSize && range.maxSize === filter.maxSize,
          onSelect: () => change(range),
        }))}
      />
      <LanguageChip filter={filter} change={change} />
      <ClassChip filter={filter} change={change} />
      <SourceChip filter={filter} change={change} />
      {tag && <FilterChip name={t('filter.tag')} value={tag} onClear={() => change({ tag: null })} />}
      {chat && (
        <FilterChip
          name={t('filter.chat')}
          value={chatTitle ?? chat.slice(0, 8)}
          onClear={() => change({ chat: null })}
        />
      )}
      <button
        type="button"
        aria-pressed={starred}
        className="chip"
        data-on={starred || undefined}
        onClick={() => change({ starred: !starred })}
      >
        <Star aria-hidden className="icon-14" />
        {t('filter.starred')}
      </button>
      <span className="ml-auto flex flex-none items-center gap-2">
        <SortMenu filter={filter} change={change} />
        <VariantChoice variant={filter.view} onChange={(view) => change({ view })} />
      </span>
    </div>
  )
}

function SortMenu({ filter: { sort, order }, change }: Pick<Props, 'filter' | 'change'>) {
  const { t } = useTranslation('documents')
  return (
    <Menu
      align="end"
      trigger={
        <Button
          variant="ghost"
          size="sm"
          aria-label={t('sort.button', { order: t(`sort.${sort}_${order}`) })}
          icon={<ArrowUpDown aria-hidden className="icon-14" />}
        >
          <span className="max-2xl:hidden">{t(`sort.${sort}_${order}`)}</span>
        </Button>
      }
      entries={orders.map(([by, to]) => ({
        key: `${by}_${to}`,
        label: t(`sort.${by}_${to}`),
        checked: by === sort && to === order,
        onSelect: () => change({ sort: by, order: to }),
      }))}
    />
  )
}

const icons: Record<CardVariant, LucideIcon> = {
  default: LayoutGrid,
  list: List,
  compact: Rows3,
  icon: Grid3x3,
}

function VariantChoice({
  variant,
  onChange,
}: {
  variant: CardVariant
  onChange: (variant: CardVariant) => void
}) {
  const { t } = useTranslation('documents')
  return (
    <fieldset aria-label={t('variant.name')} data-tour="variants" className="flex gap-0.5">
      {cardVariants.map((one) => {
        const Icon = icons[one]
        return (
          <IconButton
            key={one}
            name={t(`variant.${one}`)}
            size="sm"
            on={one === variant}
            aria-pressed={one === variant}
            onClick={() => onChange(one)}
          >
            <Icon aria-hidden className="icon-14" />
          </IconButton>
        )
      })}
    </fieldset>
  )
}
