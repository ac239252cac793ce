type Texts = Record<string, unknown>

const bundled = import.meta.glob<{ default: Texts }>('../../../../locales/*/*.json')

/** Loads texts that are built into the client. @throws Error when there are none */
export async function loadBundledTexts(lng: string, ns: string): Promise<Texts> {
  const load = bundled[`../../../../locales/${lng}/${ns}.json`]
  if (!load) throw new Error(`No texts for ${lng}/${ns}`)
  return (await load()).default
}
