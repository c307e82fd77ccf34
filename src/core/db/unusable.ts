// Explains a DATABASE_URL that cannot be used: the address without its password, the reason, and what to do.

import pg, { type PoolConfig } from 'pg'
import { OperatorError } from '../errors.ts'

/** Opens a connection, or explains the failure as one of DATABASE_URL. A connection that is lost later fails its next statement. */
export async function connectTo(connection: PoolConfig): Promise<pg.Client> {
  try {
    const client = new pg.Client(connection)
    client.on('error', () => {})
    await client.connect()
    return client
  } catch (error) {
    throw asSettingFault(error, connection.connectionString)
  }
}

/** The failure as one of DATABASE_URL, if the connection came from it; otherwise unchanged. */
function asSettingFault(error: unknown, databaseUrl: string | undefined): unknown {
  if (databaseUrl === undefined || !(error instanceof Error)) return error
  return new OperatorError(
    `The database of DATABASE_URL (${withoutPassword(databaseUrl)}) cannot be used: ${reasonOf(error)}. Check that it runs, and the address, user, password and database in DATABASE_URL`,
    { cause: error },
  )
}

function withoutPassword(databaseUrl: string): string {
  const url = URL.parse(databaseUrl)
  return url === null
    ? 'no address that can be read'
    : `${url.protocol}//${url.username}${url.username && '@'}${url.host}${url.pathname}`
}

/** A host name with several addresses fails with an AggregateError, which has no message of its own. */
const reasonOf = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map(({ message }) => message).join(', ') : error.message
