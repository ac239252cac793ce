/** An API description with every kind of parameter, for tests. */
export const shopDescription = (server: string, more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '2' },
  servers: [{ url: `${server}/{stage}`, variables: { stage: { default: 'v1' } } }],
  security: [{ key: [] }],
  paths: {
    '/orders/{id}': {
      parameters: [{ $ref: '#/components/parameters/id' }],
      get: {
        summary: 'One order',
        tags: ['Orders'],
        parameters: [
          { name: 'fields', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'near', in: 'query', explode: false, schema: { type: 'array', items: { type: 'number' } } },
          {
            name: 'filter',
            in: 'query',
            style: 'deepObject',
            schema: { type: 'object', properties: { since: { type: 'string' } } },
          },
          { name: 'where', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          { name: 'cart', in: 'cookie', schema: { type: 'string' } },
        ],
        responses: {},
      },
      patch: {
        summary: 'Change an order',
        tags: ['Orders'],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
        },
        responses: {},
      },
      delete: { summary: 'Delete an order', tags: ['Orders'], responses: {} },
    },
    '/search': {
      post: {
        operationId: 'search',
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: {
                type: 'object',
                properties: { q: { type: 'string' }, tag: { type: 'array', items: { type: 'string' } } },
              },
            },
          },
        },
        responses: {},
      },
    },
    '/files': {
      post: {
        operationId: 'upload',
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['file'],
                properties: {
                  file: { type: 'string', format: 'binary' },
                  note: { type: 'string' },
                  about: { type: 'object' },
                },
              },
            },
          },
        },
        responses: {},
      },
    },
    '/raw': {
      put: {
        operationId: 'raw',
        requestBody: { content: { 'application/octet-stream': {} } },
        responses: {},
      },
    },
    '/elsewhere': {
      get: {
        operationId: 'far',
        parameters: [{ $ref: 'https://example.com/parameters.json#/x' }],
        responses: {},
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
    parameters: {
      id: { name: 'id', in: 'path', required: true, description: 'Its number', schema: { type: 'string' } },
    },
    schemas: {
      Order: {
        type: 'object',
        required: ['state'],
        properties: {
          id: { type: 'string', description: 'Its number in the body' },
          state: { enum: ['open', 'done'], default: 'open' },
          parent: { $ref: '#/components/schemas/Order' },
          made_at: { type: 'string', readOnly: true },
        },
      },
    },
  },
  ...more,
})
