// The log: one JSON object a line on standard output, with what is secret left out on every path.

import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** Field names whose values are never written, wherever they stand in a logged object down to the third level. */
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
    redact: { paths: paths.map((path) => path.replace('.[', '[')), censor: '[redacted]' },
  }
  return destination ? pino(options, destination) : pino(options)
}
