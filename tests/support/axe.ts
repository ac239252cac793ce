import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** Source of axe, to add to a page or context before it opens. */
export const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Axe = {
  run: (
    options: object,
  ) => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>
}

/** Returns axe findings on a page with its source, of these severities or of all. */
export function runAxe(page: Page, severities: string[] | null = null): Promise<string[]> {
  return page.evaluate(async (wanted) => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => wanted === null || wanted.includes(impact))
      .map(
        ({ id, nodes }) =>
          `${id} ${nodes
            .slice(0, 3)
            .map((node) => node.html.slice(0, 160))
            .join(' | ')}`,
      )
  }, severities)
}
