import type { Source } from '#shared/knowledge/connectors/sources.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Textarea } from '../../../platform/ui/input.tsx'
import type { SelectionDraft, Trial } from './connector-draft.ts'
import { FolderTree } from './folder-tree.tsx'

type Props = {
  source: Source
  trial: Trial
  selection: SelectionDraft
  onChange: (selection: SelectionDraft) => void
}

/** The part of a source to read: all or some folders, and names of files. */
export function SelectionFields({ source, trial, selection, onChange }: Props) {
  const { t } = useTranslation('connectors')
  const { hasAll, folders, include, exclude } = selection
  return (
    <div className="grid grid-cols-1 content-start gap-4">
      {source.has_folders && (
        <>
          <div>
            <Choice name={t('folders.title')}>
              <Segment isOn={hasAll} onClick={() => onChange({ ...selection, hasAll: true })}>
                {t('folders.all')}
              </Segment>
              <Segment isOn={!hasAll} onClick={() => onChange({ ...selection, hasAll: false })}>
                {t('folders.some')}
              </Segment>
            </Choice>
          </div>
          {!hasAll && (
            <FolderTree
              trial={trial}
              chosen={folders}
              onChange={(chosen) => onChange({ ...selection, folders: chosen })}
            />
          )}
        </>
      )}
      <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
        <Field label={t('names.only')} hint={t('names.only_hint')} optional>
          <Textarea
            rows={2}
            spellCheck={false}
            autoCapitalize="off"
            className="font-mono text-13"
            placeholder={'*.pdf\n*.docx'}
            value={include}
            onChange={({ target }) => onChange({ ...selection, include: target.value })}
          />
        </Field>
        <Field label={t('names.not')} hint={t('names.not_hint')} optional>
          <Textarea
            rows={2}
            spellCheck={false}
            autoCapitalize="off"
            className="font-mono text-13"
            placeholder="**/drafts/**"
            value={exclude}
            onChange={({ target }) => onChange({ ...selection, exclude: target.value })}
          />
        </Field>
      </div>
    </div>
  )
}
