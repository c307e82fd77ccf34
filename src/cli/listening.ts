// Checks that the configured address can be listened on, and says what to change when it cannot.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { OperatorError } from '../core/errors.ts'

type Address = { host: string; port: number }

/** Listens for a moment; throws OperatorError if that is not possible. */
export async function tryAddress({ host, port }: Address): Promise<void> {
  const server = createServer()
  try {
    await once(server.listen({ host, port }), 'listening')
  } catch (error) {
    asAddressFault(error, { host, port })
  }
  server.close()
  await once(server, 'close')
}

/** Throws the reason why a server cannot listen, with the setting to change if there is one. */
export function asAddressFault(error: unknown, { host, port }: Address): never {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EADDRINUSE')
    throw new OperatorError(
      `Port ${port} of ${host} is taken (${code}): set PORT to another one, or stop what listens there`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    throw new OperatorError(`${host} is not an address of this machine (${code}): set HOST`)
  if (code === 'EACCES') throw new OperatorError(`Port ${port} of ${host} may not be listened on (${code}): set PORT`)
  throw error
}
