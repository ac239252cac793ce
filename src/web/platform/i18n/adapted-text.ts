import type { TFunction } from 'i18next'
import type { Adaptation } from '#shared/models/connections/adaptations.ts'

/** Adaptations that a person notices; others are only in the record of the step. */
const TOLD = new Set(['no_tools', 'no_images', 'shortened', 'left_out_tool', 'tool_limit', 'window'])

/** Describes in the person's language what the model did not receive of a request; empty if nothing notable was changed. */
export function adaptedText(t: TFunction, adaptations: readonly Adaptation[]): string {
  const told = adaptations.filter(({ name }) => TOLD.has(name))
  const named = (name: Adaptation['name']) =>
    told.flatMap((one) => (one.name === name && one.about ? [one.about] : []))
  const parts = named('shortened').map((about) => t(`common:adapted.parts.${about}`, { defaultValue: about }))
  const tools = named('left_out_tool')
  const lines = [
    ...told
      .filter(({ name }) => name === 'no_tools' || name === 'no_images')
      .map(({ name }) => t(`common:adapted.${name}`)),
    ...told
      .filter(({ name }) => name === 'tool_limit')
      .map(({ value }) => t('common:adapted.tool_limit', { count: value ?? 0 })),
    ...(parts.length > 0 ? [t('common:adapted.shortened', { parts: parts.join(', ') })] : []),
    ...(tools.length > 0
      ? [t('common:adapted.left_out_tool', { tools: tools.slice(0, 8).join(', '), count: tools.length })]
      : []),
  ]
  return lines.join(' ')
}
