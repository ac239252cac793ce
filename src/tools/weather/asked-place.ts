import { plain, sentencesOf, standsIn } from '#shared/tools/tools/asked-for.ts'

/** Words that ask for the weather, and what may be between them and the place. */
const asks =
  /\b(?:weather|forecast|temperature|météo|meteo|prévisions|température)(?: (?:like|today|tomorrow|now|is|it|outside|aujourd['’]hui|demain|actuelle|actuellement))* (?:in|at|for|of|near|à|a|au|aux|en|de|du|pour|sur) (.{1,300})$/
const when = /,? (?:today|tomorrow|now|right now|this week|aujourd['’]hui|demain|maintenant)$/

/** Returns whether a message asks for the weather of exactly this place. */
export function isPlaceAsked(location: string, message: string): boolean {
  if (!standsIn(location, message)) return false
  return sentencesOf(message).some(({ text }) => {
    const [, place = ''] = asks.exec(text) ?? []
    const named = place.replace(when, '')
    return [named, ...named.split(/, | and | or | et | ou /)].map(plain).includes(plain(location))
  })
}
