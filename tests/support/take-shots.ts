import type { Page } from 'playwright-core'

const HEIGHT = 1_000

/**
 * Takes screenshots of a page in both themes, wide and narrow, below the path in `SHOTS`; without the variable it does nothing. The page is light
 * and 1280 px wide afterwards.
 */
export async function takeShots(page: Page, name: string): Promise<void> {
  const shots = process.env.SHOTS
  if (!shots) return
  for (const theme of ['light', 'dark'])
    for (const width of [1280, 390]) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      await page.setViewportSize({ width, height: HEIGHT })
      await page.waitForTimeout(400)
      await page.screenshot({ path: `${shots}-${name}-${theme}-${width}.png`, fullPage: true })
    }
  await page.evaluate(`document.documentElement.dataset.theme = 'light'`)
  await page.setViewportSize({ width: 1280, height: HEIGHT })
  // The colours change gradually.
  await page.waitForTimeout(600)
}
