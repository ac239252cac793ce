import type { FastifyRequest } from 'fastify'

/** The origin the browser of a request sees, if that is ours; else the one this installation is known by. */
export function ownOrigin(request: FastifyRequest, publicUrl: string): string {
  const isOwn = new URL(publicUrl).host === request.host || isLoopback(request.hostname)
  return isOwn ? `${request.protocol}://${request.host}` : new URL(publicUrl).origin
}

const isLoopback = (host: string) => host === 'localhost' || host === '127.0.0.1' || host === '[::1]'
