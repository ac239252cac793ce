import type { BrandColours, BrandTheme } from './branding.ts'

/** A colour in OKLCH: lightness from 0 to 1, chroma, hue in degrees. */
type Lch = { l: number; c: number; h: number }
type Rgb = readonly [number, number, number]

/** Contrast that WCAG 2.2 AA requires of text, with a margin for rounding, and of the parts of controls. */
export const TEXT_CONTRAST = 4.5
const PART_CONTRAST = 3
const MARGIN = 0.05
const STEP = 0.005

/** Backgrounds on which the accent is text or a button, from styles-tokens.css: the page and the surfaces. */
const backgrounds: Record<BrandTheme, readonly Lch[]> = {
  light: [
    { l: 1, c: 0, h: 0 },
    { l: 0.993, c: 0.002, h: 95 },
    { l: 0.976, c: 0.003, h: 95 },
    { l: 0.952, c: 0.004, h: 95 },
  ],
  dark: [
    { l: 0.188, c: 0.005, h: 265 },
    { l: 0.213, c: 0.006, h: 265 },
    { l: 0.232, c: 0.007, h: 265 },
    { l: 0.252, c: 0.007, h: 265 },
  ],
}

/** Returns the backgrounds of a theme as `#rrggbb`. */
export const backgroundsOf = (theme: BrandTheme) => backgrounds[theme].map(toHex)

/**
 * Returns the colours of a theme for an accent as `#rrggbb`. Its lightness changes only as far as text and buttons need it to be legible
 * (WCAG 2.2 AA).
 */
export function brandColours(accent: string, theme: BrandTheme): BrandColours {
  const { l, c, h } = toLch(accent)
  const isLight = theme === 'light'
  const soft = isLight
    ? { l: 0.953, c: Math.min(c * 0.12, 0.021), h }
    : { l: 0.285, c: Math.min(c * 0.38, 0.048), h }
  const against = [...backgrounds[theme], soft]
  const legible = makeLegible({ l, c, h }, theme, against, TEXT_CONTRAST)
  const line = isLight
    ? { l: 0.83, c: Math.min(c * 0.43, 0.075), h }
    : { l: 0.435, c: Math.min(c * 0.68, 0.085), h }
  const chroma = Math.min(c, 0.18)
  return {
    accent: toHex(legible),
    accent_hover: toHex({ ...legible, l: legible.l + (isLight ? -0.05 : 0.05) }),
    accent_fg: toHex(isLight ? { l: 0.99, c: 0, h } : { l: 0.17, c: 0.01, h }),
    accent_soft: toHex(soft),
    accent_line: toHex(line),
    focus: toHex(
      makeLegible({ ...legible, l: legible.l + (isLight ? 0.06 : 0) }, theme, against, PART_CONTRAST),
    ),
    mark_from: toHex({ l: isLight ? 0.6 : 0.64, c: chroma, h: h - 5 }),
    mark_to: toHex({ l: isLight ? 0.44 : 0.48, c: chroma, h: h + 18 }),
  }
}

/** Returns the contrast of two colours in hex notation (WCAG 2.2), from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** Darkens a colour of the light theme, or lightens one of the dark theme, until it contrasts with each background. */
function makeLegible(colour: Lch, theme: BrandTheme, against: readonly Lch[], contrast: number): Lch {
  const hexes = against.map(toHex)
  const step = theme === 'light' ? -STEP : STEP
  for (let l = colour.l; l >= 0 && l <= 1; l += step) {
    const hex = toHex({ ...colour, l })
    if (hexes.every((background) => contrastOf(hex, background) >= contrast + MARGIN)) return { ...colour, l }
  }
  return { ...colour, l: theme === 'light' ? 0 : 1, c: 0 }
}

/** Converts sRGB to OKLCH (https://bottosson.github.io/posts/oklab). */
function toLch(hex: string): Lch {
  const [r, g, b] = toLinear(hex)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const ob = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, ob),
    h: (Math.atan2(ob, a) * 180) / Math.PI,
  }
}

/** Returns the nearest colour of sRGB with the same lightness and hue. */
function toHex({ l, c, h }: Lch): string {
  let chroma = c
  let rgb = toRgb({ l, c: chroma, h })
  while (chroma > 0 && rgb.some((part) => part < -0.0005 || part > 1.0005)) {
    chroma = Math.max(0, chroma - 0.004)
    rgb = toRgb({ l, c: chroma, h })
  }
  return `#${rgb
    .map((part) =>
      Math.round(encode(part) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

function toRgb({ l, c, h }: Lch): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

function encode(part: number): number {
  const bounded = Math.min(1, Math.max(0, part))
  return bounded <= 0.0031308 ? bounded * 12.92 : 1.055 * bounded ** (1 / 2.4) - 0.055
}

function toLinear(hex: string): Rgb {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [part(1), part(3), part(5)]
}

function luminance(hex: string): number {
  const [r, g, b] = toLinear(hex)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
