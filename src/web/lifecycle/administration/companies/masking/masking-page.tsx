import {
  type CompanyMasking,
  type MaskedProvider,
  MaskingMode,
  MaskKind,
} from '#shared/models/masking/masking.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Checkbox } from '../../../../platform/ui/checkbox.tsx'
import { Field } from '../../../../platform/ui/field.tsx'
import { Select } from '../../../../platform/ui/select.tsx'
import { Skeletons } from '../../../../platform/ui/states/skeleton.tsx'
import { toast } from '../../../../platform/ui/toasts/toasts.ts'
import { AdminHead } from '../../admin-head.tsx'
import { CompanyPicker } from '../../company-picker.tsx'
import { ReadFailed } from '../../read-failed.tsx'
import { useChosenCompany, useManagedCompanies } from '../../use-managed.ts'
import { useMasking, useSetMasking } from './use-masking.ts'

/** The personal details that a company replaces before a call leaves the installation. */
export default function MaskingPage() {
  const { t } = useTranslation('admin')
  const { data: companies, error, refetch } = useManagedCompanies()
  const [company, choose] = useChosenCompany(companies ?? [])
  return (
    <>
      <AdminHead title={t('administration.page.masking')} />
      <p className="mb-4 max-w-180 text-13 text-ink-2">{t('masking.intro')}</p>
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {companies && companies.length > 1 && (
        <div className="admin-search mb-4">
          <CompanyPicker
            isField
            name={t('masking.company')}
            companies={companies}
            value={company?.id ?? ''}
            emptyLabel=""
            onChoose={choose}
          />
        </div>
      )}
      {company && <MaskingOf key={company.id} companyId={company.id} />}
    </>
  )
}

function MaskingOf({ companyId }: { companyId: string }) {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = useMasking(companyId)
  const saving = useSetMasking(companyId)
  if (isPending) return <Skeletons className="grid gap-2" sizes={['h-12', 'h-24', 'h-24']} />
  if (error) return <ReadFailed error={error} onRetry={refetch} />
  const { providers, ...stored } = data
  const shown = saving.isPending ? saving.variables : stored
  const save = (change: Partial<CompanyMasking>) =>
    saving.mutate({ ...shown, ...change }, { onError: (wrong) => void toast.error(errorText(t, wrong)) })
  return (
    <div className="grid max-w-180 gap-6">
      <Field label={t('masking.mode')} hint={t(`masking.hint.${shown.mode}`)}>
        <Select
          value={shown.mode}
          disabled={saving.isPending}
          options={MaskingMode.options.map((value) => ({ value, label: t(`masking.choice.${value}`) }))}
          onValueChange={(value) => save({ mode: MaskingMode.parse(value) })}
        />
      </Field>
      <Kinds kinds={shown.kinds} isBusy={saving.isPending} onChange={(kinds) => save({ kinds })} />
      <Providers
        providers={providers}
        connections={shown.connections}
        isBusy={saving.isPending}
        onChange={(connections) => save({ connections })}
      />
    </div>
  )
}

type KindsProps = { kinds: readonly MaskKind[]; isBusy: boolean; onChange: (kinds: MaskKind[]) => void }

/** At least one kind stays: the mode switches everything off. */
function Kinds({ kinds, isBusy, onChange }: KindsProps) {
  const { t } = useTranslation('admin')
  return (
    <fieldset>
      <legend className="mb-2 text-13 font-semibold">{t('masking.kinds')}</legend>
      <div className="admin-card grid gap-x-4 px-4 py-2 md:grid-cols-2">
        {MaskKind.options.map((kind) => (
          <div key={kind} className="flex min-h-9 items-center max-md:min-h-11">
            <Checkbox
              checked={kinds.includes(kind)}
              disabled={isBusy || (kinds.length === 1 && kinds.includes(kind))}
              label={t(`masking.kind.${kind}`)}
              onCheckedChange={(isChecked) =>
                onChange(MaskKind.options.filter((one) => (one === kind ? isChecked : kinds.includes(one))))
              }
            />
          </div>
        ))}
      </div>
      <p className="mt-2 text-12 text-ink-3">{t('masking.limits')}</p>
    </fieldset>
  )
}

type ProvidersProps = {
  providers: readonly MaskedProvider[]
  connections: Record<string, boolean>
  isBusy: boolean
  onChange: (connections: Record<string, boolean>) => void
}

function Providers({ providers, connections, isBusy, onChange }: ProvidersProps) {
  const { t } = useTranslation('admin')
  const change = (provider: string, value: string) => {
    const { [provider]: _, ...others } = connections
    onChange(value === 'usual' ? others : { ...others, [provider]: value === 'always' })
  }
  const exceptionOf = (provider: string) => {
    const exception = connections[provider]
    return exception === undefined ? 'usual' : exception ? 'always' : 'never'
  }
  return (
    <section aria-labelledby="masking-providers">
      <h3 id="masking-providers" className="mb-1 text-13 font-semibold">
        {t('masking.providers')}
      </h3>
      <p className="mb-2 text-13 text-ink-2">
        {t(providers.length === 0 ? 'masking.no_provider' : 'masking.providers_text')}
      </p>
      {providers.length > 0 && (
        <ul className="admin-card divide-y divide-line">
          {providers.map(({ provider, name, is_local }) => (
            <li key={provider} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
              <span className="min-w-40 flex-1 text-13 wrap-anywhere">
                {name}
                {is_local && <span className="block text-12 text-ink-3">{t('masking.local')}</span>}
              </span>
              <Select
                aria-label={t('masking.for', { name })}
                value={exceptionOf(provider)}
                disabled={isBusy}
                options={(['usual', 'always', 'never'] as const).map((value) => ({
                  value,
                  label: t(`masking.exception.${value}`),
                }))}
                onValueChange={(value) => change(provider, value)}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
