import { BodyMedia, changesData, HttpMethod } from '#shared/tools/own-tools/http-call.ts'
import { ToolPolicy } from '#shared/tools/tools/policy.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input, Textarea } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { type Draft, followAddress } from './draft.ts'
import { InputRows } from './input-rows.tsx'
import { KindCards } from './kind-cards.tsx'

export type SectionProps = { draft: Draft; change: (patch: Partial<Draft>) => void }

/** Name of a tool, its request, and the parts of the answer to keep. */
export function GeneralSection({ draft, change }: SectionProps) {
  const { t } = useTranslation('own_tools')
  const { call } = draft
  const changeCall = (patch: Partial<Draft['call']>) => change({ call: { ...call, ...patch } })
  const hasBody = changesData(call.method)
  return (
    <>
      <KindCards />
      <Field label={t('field.name')}>
        <Input
          value={draft.ui_name}
          maxLength={100}
          onChange={({ target }) => change({ ui_name: target.value })}
        />
      </Field>
      <Field label={t('field.description')} hint={t('field.description_hint')}>
        <Textarea
          value={draft.description}
          maxLength={4_000}
          onChange={({ target }) => change({ description: target.value })}
        />
      </Field>
      <div className="flex items-end gap-2">
        <Field label={t('field.method')} className="w-28 flex-none">
          <Select
            value={call.method}
            onValueChange={(method) => changeCall({ method: HttpMethod.parse(method) })}
            options={HttpMethod.options.map((value) => ({ value, label: value }))}
          />
        </Field>
        <Field label={t('field.address')} className="flex-1">
          <Input
            value={call.address}
            maxLength={2_000}
            spellCheck={false}
            autoCapitalize="off"
            className="font-mono"
            placeholder="https://"
            onChange={({ target }) =>
              change({
                call: { ...call, address: target.value },
                inputs: followAddress(draft.inputs, target.value),
              })
            }
          />
        </Field>
      </div>
      <p className="-mt-3 text-12 text-ink-3">{t('field.address_hint')}</p>
      <InputRows inputs={draft.inputs} hasBody={hasBody} onChange={(inputs) => change({ inputs })} />
      {hasBody && (
        <Field label={t('field.media')}>
          <Select
            value={call.media}
            onValueChange={(media) => changeCall({ media: BodyMedia.parse(media) })}
            options={BodyMedia.options.map((value) => ({
              value,
              label: t(`media.${value.replace(/\W/g, '_')}`),
            }))}
          />
        </Field>
      )}
      <div className="grid gap-3 md:grid-cols-2">
        <Field label={t('answer.keep')} hint={t('answer.keep_hint')}>
          <Input
            value={draft.keep}
            spellCheck={false}
            className="font-mono"
            placeholder="$.alerts[*].label"
            onChange={({ target }) => change({ keep: target.value })}
          />
        </Field>
        <Field label={t('answer.most')} hint={t('answer.most_hint')}>
          <Input
            type="number"
            min={100}
            max={1_000_000}
            value={draft.most_characters}
            onChange={({ target }) => change({ most_characters: Number(target.value) })}
          />
        </Field>
      </div>
      <Field label={t('answer.schema')} optional hint={t('answer.schema_hint')}>
        <Textarea
          value={draft.schema}
          spellCheck={false}
          className="font-mono"
          onChange={({ target }) => change({ schema: target.value })}
        />
      </Field>
      <Field label={t('field.seconds')}>
        <Input
          type="number"
          min={1}
          max={120}
          value={call.seconds}
          onChange={({ target }) => changeCall({ seconds: Number(target.value) })}
        />
      </Field>
      <PolicyField {...{ draft, change }} />
    </>
  )
}

function PolicyField({ draft, change }: SectionProps) {
  const { t } = useTranslation('own_tools')
  const usual = changesData(draft.call.method) ? 'ask' : 'auto'
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span className="flex-1 text-13">
        <span className="block font-medium">{t('policy.title')}</span>
        <span className="text-12 text-ink-3">{t('policy.hint')}</span>
      </span>
      <Choice name={t('policy.title')}>
        {ToolPolicy.options.map((policy) => (
          <Segment
            key={policy}
            isOn={(draft.policy ?? usual) === policy}
            onClick={() => change({ policy: policy === usual ? null : policy })}
          >
            {t(`tools:policy.${policy}`)}
          </Segment>
        ))}
      </Choice>
    </div>
  )
}
