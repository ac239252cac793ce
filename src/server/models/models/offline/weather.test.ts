import { describe, expect, it } from 'vitest'
import { findIntent } from './intents.ts'

const tools = [
  { name: 'calculator', description: '', input_schema: {} },
  { name: 'weather', description: '', input_schema: {} },
]
const placeIn = (text: string) => findIntent(text, tools)?.input.location

describe('the built-in model and the weather', () => {
  it.each([
    ['What is the weather in Paris?', 'Paris'],
    ['weather in paris, texas today', 'paris, texas'],
    ['Weather Lyon', 'Lyon'],
    ['What is the forecast for Saint-Étienne, please?', 'Saint-Étienne'],
    ['Quelle est la météo à Lyon ?', 'Lyon'],
    ['météo à Saint-Étienne aujourd’hui', 'Saint-Étienne'],
    ['Quel temps fait-il à Aix-en-Provence ?', 'Aix-en-Provence'],
    ['Météo Lyon', 'Lyon'],
  ])('calls the weather tool for %j [WT-01]', (text, place) => {
    expect(placeIn(text)).toBe(place)
  })

  it.each(['What is the capital of France?', 'Do not weather the storm', 'Combien de temps pour Lyon ?'])(
    'does not call the weather tool for %j',
    (text) => {
      expect(placeIn(text)).toBeUndefined()
    },
  )

  it('does not call a tool that is not offered', () => {
    expect(findIntent('Weather in Paris?', tools.slice(0, 1))).toBeNull()
  })
})
