import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { startWeatherServer, type WeatherServer } from '#tests/weather-server.ts'

let chat: Chat
let weather: WeatherServer
beforeAll(async () => {
  weather = await startWeatherServer()
  chat = await startChat({ app: { config: { OPEN_METEO_URL: weather.url } } })
})
afterAll(async () => {
  await chat.close()
  await weather.close()
})

async function ask(text: string, more: object = {}) {
  const id = await chat.aSession({ modelName: 'atrium/offline' })
  const stream = await chat.ask(id, { content: text, ...more })
  await stream.ended
  const view = stream.view()
  return { content: view?.content, card: view?.blocks.find(({ type }) => type === 'tool') }
}

describe('weather in a chat', () => {
  it('is looked up at a real service with a configured address by the built-in model [WT-01, G-41, R-08]', async () => {
    const { content, card } = await ask('What is the weather in Lyon?')
    expect(card).toMatchObject({
      ...{ type: 'tool', tool_id: 'weather', status: 'complete', input: { location: 'Lyon' } },
      result: { temperature: 45, humidity: 87, wind_speed: 9, weather_code: 61 },
    })
    expect(content).toBe(
      'In Lyon, Auvergne-Rhône-Alpes, France it is now **45 °F**, light rain. Humidity is 87 %, the wind blows at 9 mph.',
    )
  })

  it("calls a chosen tool with the person's text [MS-15, G-41]", async () => {
    const { card } = await ask('Paris', { tool_choice: 'weather' })
    expect(card).toMatchObject({ result: { location: 'Paris, Île-de-France, France' } })
  })

  it('reports an unknown place as the error of the result [R-08, TO-11]', async () => {
    const { content, card } = await ask('weather in Part-Dieu building B')
    expect(card).toMatchObject({
      status: 'error',
      result: null,
      error: expect.stringContaining('No place named'),
    })
    expect(content).toContain('Try the name of a town.')
  })
})
