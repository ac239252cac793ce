import type { Tool } from '#shared/tools/tools/tools.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { isCardLoaded, loadCard } from './cards.ts'
import { toolQuery } from './use-tools.ts'

/** Returns whether these tools and their cards are loaded. */
export function areCardsReady(toolIds: readonly string[]): boolean {
  return toolIds.every((id) => {
    const tool = queryClient.getQueryData<Tool>(toolQuery(id).queryKey)
    return tool !== undefined && isCardLoaded(cardOf(tool))
  })
}

/** Loads these tools and their cards. A tool that cannot be loaded is skipped. */
export async function prepareCards(toolIds: readonly string[]): Promise<void> {
  const loading = toolIds.map(async (id) =>
    loadCard(cardOf(await queryClient.ensureQueryData(toolQuery(id)))),
  )
  await Promise.allSettled(loading)
}

/** Returns the name of the card that a tool names; empty for the default card. */
export const cardOf = ({ ui_location }: Tool) => (ui_location?.kind === 'internal' ? ui_location.name : '')
