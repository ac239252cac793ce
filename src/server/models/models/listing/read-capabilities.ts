import type { Adaptation } from '#shared/models/connections/adaptations.ts'

type Item = Record<string, unknown>

/** Returns what a model cannot do according to its list (OpenRouter, Mistral, LM Studio, Ollama). A missing list means unknown. */
export function readCapabilities(item: Item): Adaptation[] {
  const tools = saysOf(item, ['tools', 'tool_use', 'function_calling', 'tool_calling'])
  const images = saysOf(item, ['image', 'vision'])
  return [
    ...(tools === false ? [{ name: 'no_tools' as const }] : []),
    ...(images === false ? [{ name: 'no_images' as const }] : []),
  ]
}

/** Returns whether the lists of capabilities contain one of these names; undefined without such a list. */
function saysOf(item: Item, names: string[]): boolean | undefined {
  const { capabilities } = item
  if (typeof capabilities === 'object' && capabilities !== null && !Array.isArray(capabilities)) {
    const said = names.map((name) => (capabilities as Item)[name]).find((value) => typeof value === 'boolean')
    if (said !== undefined) return said as boolean
  }
  const isAboutImages = names.includes('image')
  const architecture = item.architecture as { input_modalities?: unknown } | undefined
  const list = isAboutImages ? architecture?.input_modalities : item.supported_parameters
  const lists = [list, Array.isArray(capabilities) ? capabilities : undefined].filter(Array.isArray)
  if (lists.length === 0) return undefined
  return lists.some((one) => names.some((name) => one.includes(name)))
}
