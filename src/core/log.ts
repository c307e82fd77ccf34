// The log: one JSON object per line, with secrets removed.

import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** Field names whose values are never logged, at any place in an object down to the third level. */
const secretFields = [
  'x-api-key',
  'authorization',
  'cookie',
  'apiKey',
  'key',
  'secret',
  'secretKey',
  'password',
  'token',
]

export function openLog(level: string, destination?: DestinationStream): Log {
  const paths = secretFields.flatMap((name) => ['', '*.', '*.*.'].map((prefix) => `${prefix}["${name}"]`))
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: { paths: paths.map((path) => path.replace('.[', '[')), censor: '[redacted]' },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** The log of a running service, on standard error, written in blocks and at least once a second. */
export function openServiceLog(level: string): Log {
  const destination = pino.destination({ fd: 2, sync: false, minLength: 4096, periodicFlush: 1000 })
  return openLog(level, destination)
}

/** The loggable part of an error, without data of the connection and without the values of a failed statement. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const code = 'code' in error ? error.code : undefined
  return { name, message, code, stack, cause: cause === undefined ? undefined : describeError(cause) }
}
