const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

/** Returns the text of a Slack message as a person sees it, without the mention of the bot. */
export function plainText(text: string, botId: string): string {
  return text
    .replaceAll(`<@${botId}>`, '')
    .replace(/<([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>/g, (_, target: string, label?: string) =>
      shown(target, label),
    )
    .replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity)
    .trim()
}

function shown(target: string, label?: string): string {
  if (target.startsWith('@') || target.startsWith('!')) return `@${label || target.slice(1)}`
  if (target.startsWith('#')) return `#${label || target.slice(1)}`
  return label && label !== target ? `${label} (${target})` : target
}
