import type { ServerResponse } from 'node:http'

export const streams =
  (...events: object[]) =>
  (response: ServerResponse) =>
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''))
export const json =
  (value: object, status = 200) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
