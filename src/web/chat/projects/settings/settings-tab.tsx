import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { ClassField } from '../../../models/data-classes/data-classes.tsx'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input, Textarea } from '../../../platform/ui/input.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { ArchivedCallout } from '../lifecycle/archived-callout.tsx'
import { LifecycleSection } from '../lifecycle/lifecycle-section.tsx'
import { BudgetSection } from './budget-section.tsx'
import { DefaultsFields } from './defaults-fields.tsx'
import { InstructionVersions } from './instruction-versions.tsx'
import { LookFields } from './look-fields.tsx'
import { useProjectDraft } from './project-draft.ts'
import { SettingsSection } from './settings-section.tsx'
import { SourcesSection } from './sources-section.tsx'
import { UnansweredSection } from './unanswered-section.tsx'

/** Maximum characters of the instructions, as the contract says. */
const MAX_INSTRUCTIONS = 20_000

/** The settings of a project. An archived one can only be duplicated, restored and deleted. */
export function SettingsTab({ project }: { project: ProjectDetails }) {
  if (!project.is_archived) return <OpenSettings project={project} />
  return (
    <div className="grid max-w-220 gap-6 px-8 py-6 max-md:px-4">
      <ArchivedCallout project={project} />
      <LifecycleSection project={project} />
    </div>
  )
}

function OpenSettings({ project }: { project: ProjectDetails }) {
  const { t } = useTranslation('projects')
  const { draft, isChanged, isBusy, error, change, discard, save } = useProjectDraft(project)
  const submit = async () => {
    if (await save()) void toast.success(t('settings.saved'))
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_340px] gap-8 px-8 py-6 max-lg:grid-cols-1 max-md:px-4">
      <div className="grid content-start gap-6 divide-y divide-line [&>*:not(:last-child)]:pb-6">
        <form
          className="grid content-start gap-6 divide-y divide-line [&>*:not(:last-child)]:pb-6"
          onSubmit={(event) => {
            event.preventDefault()
            if (isChanged && !isBusy && draft.name.trim()) void submit()
          }}
        >
          <SettingsSection title={t('settings.what')} text={t('settings.what_text')}>
            <Field label={t('settings.name')}>
              <Input
                maxLength={100}
                value={draft.name}
                onChange={({ target }) => change({ name: target.value })}
              />
            </Field>
            <Field label={t('settings.description')} optional>
              <Input
                maxLength={1000}
                value={draft.description ?? ''}
                onChange={({ target }) => change({ description: target.value || null })}
              />
            </Field>
            <LookFields colour={draft.colour} icon={draft.icon} onChange={change} />
          </SettingsSection>
          <SettingsSection title={t('instructions.title')} text={t('instructions.text')}>
            <Field
              label={t('instructions.title')}
              hint={t('instructions.hint', { next: project.instructions_version + 1 })}
            >
              <Textarea
                className="min-h-40"
                maxLength={MAX_INSTRUCTIONS}
                placeholder={t('instructions.placeholder')}
                value={draft.instructions}
                onChange={({ target }) => change({ instructions: target.value })}
              />
            </Field>
          </SettingsSection>
          <SettingsSection title={t('settings.begin')} text={t('settings.begin_text')}>
            <DefaultsFields project={project} draft={draft} onChange={change} />
          </SettingsSection>
          <div className="grid gap-4">
            {error !== null && (
              <Callout tone="danger" title={t('failed.save')}>
                {isApiError(error, 409) ? t('instructions.conflict') : errorText(t, error)}
              </Callout>
            )}
            <div className="flex flex-wrap items-center gap-2">
              <span className="flex-1" />
              <Button variant="ghost" disabled={!isChanged || isBusy} onClick={discard}>
                {t('settings.discard')}
              </Button>
              <Button
                type="submit"
                variant="primary"
                busy={isBusy}
                disabled={!isChanged || draft.name.trim() === ''}
              >
                {t('settings.save')}
              </Button>
            </div>
          </div>
        </form>
        <SettingsSection title={t('settings.class')} text={t('settings.class_text')}>
          <ClassField of={{ kind: 'workspace', id: project.id }} />
        </SettingsSection>
        <SourcesSection project={project} />
        <UnansweredSection project={project} />
        <BudgetSection project={project} />
        <LifecycleSection project={project} />
      </div>
      <InstructionVersions
        project={project}
        draft={draft.instructions}
        onUse={(instructions) => change({ instructions })}
      />
    </div>
  )
}
