import { describe, expect, it } from 'vitest'
import { backgroundsOf, brandColours, contrastOf, TEXT_CONTRAST } from './brand-colours.ts'
import { BrandTheme } from './branding.ts'

const hex = (value: number) => `#${value.toString(16).padStart(6, '0')}`
/** Colours of the whole cube, and its corners. */
const accents = [
  ...['#000000', '#ffffff', '#ff0000', '#00ff00', '#0000ff', '#ffff00', '#00ffff', '#ff00ff', '#808080'],
  ...Array.from({ length: 120 }, (_, at) => hex((at * 139_967) % 0x1000000)),
]

describe('the colours of a brand', () => {
  it.each(BrandTheme.options)(
    'keep text and buttons legible in the %s theme, for every accent [GV-06]',
    (theme) => {
      for (const accent of accents) {
        const colours = brandColours(accent, theme)
        for (const background of [...backgroundsOf(theme), colours.accent_soft]) {
          expect(contrastOf(colours.accent, background), `${accent} on ${background}`).toBeGreaterThanOrEqual(
            TEXT_CONTRAST,
          )
          expect(contrastOf(colours.focus, background), `focus ${accent}`).toBeGreaterThanOrEqual(3)
        }
        for (const button of [colours.accent, colours.accent_hover])
          expect(contrastOf(colours.accent_fg, button), `text on ${button}`).toBeGreaterThanOrEqual(
            TEXT_CONTRAST,
          )
      }
    },
  )

  it('are the accent itself where it is legible [GV-06]', () => {
    expect(brandColours('#1d4ed8', 'light').accent).toBe('#1d4ed8')
    expect(brandColours('#93b4ff', 'dark').accent).toBe('#93b4ff')
    expect(brandColours('#ffee00', 'light').accent).not.toBe('#ffee00')
  })

  it('measure contrast as WCAG does', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.478, 2)
  })
})
