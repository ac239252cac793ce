import type { FastifyRequest } from 'fastify'

/** Returns the origin of a request if it is ours, otherwise the public one of this installation. */
export function ownOrigin(request: FastifyRequest, publicUrl: string): string {
  const isOwn = new URL(publicUrl).host === request.host || isLoopback(request.hostname)
  return isOwn ? `${request.protocol}://${request.host}` : new URL(publicUrl).origin
}

const isLoopback = (host: string) => host === 'localhost' || host === '127.0.0.1' || host === '[::1]'
