// The requests that are made to a bucket of S3 or of its protocol: each as small as it can be, and failed ones told as the service's own failures.

import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { Bucket } from '../config.ts'
import { ApplicationError } from '../errors.ts'
import { untilItPasses } from './again.ts'

/** What services other than AWS expect where nobody has named a region. */
const USUAL_REGION = 'us-east-1'

/** Milliseconds: to connect, and without a byte from either side. */
const CONNECTED_WITHIN = 5_000
const SILENT_FOR = 30_000

type File = { path: string; size: number; sha256: Buffer }
type Range = { start: number; end: number }
type Asking = { missing: (cause: unknown) => Error; signal: AbortSignal }

/** The requests to a bucket, by keys below its prefix; UNAVAILABLE if it does not do what it is asked for. */
type BucketRequests = {
  /** Stores a file; the bucket checks its hash. */
  send(key: string, file: File): Promise<void>
  /** Stores a text; null if it is to be new and something is there. */
  write(key: string, text: string, options?: { isNew: boolean }): Promise<object | null>
  /** The bytes of an object, or of its range; fails with the result of `missing` if it does not exist. */
  bytes(key: string, range: Range | undefined, asking: Asking): AsyncGenerator<Uint8Array>
  /** The text of an object; null if it does not exist. */
  text(key: string): Promise<string | null>
  /** When an object was stored, in milliseconds of wall-clock time; null if it does not exist. */
  changedAt(key: string): Promise<number | null>
  remove(key: string): Promise<void>
  keys(): AsyncGenerator<string>
}

export function openBucket({ name, prefix, endpoint, region }: Bucket): BucketRequests {
  const client = new S3Client({
    ...(region === null ? {} : { region }),
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true, region: region ?? USUAL_REGION }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // it would write to standard error what is told as errors here
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    requestHandler: { connectionTimeout: CONNECTED_WITHIN, socketTimeout: SILENT_FOR },
  })
  const at = (key: string) => ({ Bucket: name, Key: `${prefix}${key}` })

  return {
    async send(key, { path, size, sha256 }) {
      const sending = () =>
        new PutObjectCommand({
          ...at(key),
          Body: createReadStream(path),
          ContentLength: size,
          ChecksumSHA256: sha256.toString('base64'),
        })
      // the library repeats only what is no stream
      await untilItPasses(() => client.send(sending()).catch(failed))
    },
    write: (key, Body, { isNew } = { isNew: false }) =>
      unless(412, client.send(new PutObjectCommand({ ...at(key), Body, IfNoneMatch: isNew ? '*' : undefined }))),
    async *bytes(key, range, { missing, signal }) {
      const Range = range && `bytes=${range.start}-${range.end}`
      const asked = client.send(new GetObjectCommand({ ...at(key), Range }), { abortSignal: signal })
      const answer = await unless(404, asked)
      if (answer === null) throw missing(new Error(`There is no ${prefix}${key} in ${name}`))
      try {
        if (answer.Body instanceof Readable) yield* answer.Body
      } catch (error) {
        throw asFailure(error)
      }
    },
    async text(key) {
      const answer = await unless(404, client.send(new GetObjectCommand(at(key))))
      return (await answer?.Body?.transformToString().catch(failed)) ?? null
    },
    async changedAt(key) {
      const answer = await unless(404, client.send(new HeadObjectCommand(at(key))))
      return answer?.LastModified?.getTime() ?? null
    },
    async remove(key) {
      await unless(404, client.send(new DeleteObjectCommand(at(key))))
    },
    async *keys() {
      let ContinuationToken: string | undefined
      do {
        const asked = new ListObjectsV2Command({ Bucket: name, Prefix: prefix, ContinuationToken })
        const page = await client.send(asked).catch(failed)
        for (const { Key = '' } of page.Contents ?? []) yield Key.slice(prefix.length)
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
    },
  }
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined

/** The answer, or null if it has this status, which tells of an object and not of its bucket. */
const unless = <T>(status: number, asked: Promise<T>): Promise<T | null> =>
  asked.catch((error: unknown) => {
    if (statusOf(error) === status && (error as Error).name !== 'NoSuchBucket') return null
    throw asFailure(error)
  })

const failed = (error: unknown): never => {
  throw asFailure(error)
}

/** Failures of the network have no status. */
const mayPass = (error: unknown): boolean => (statusOf(error) ?? 500) >= 500 || statusOf(error) === 429

function asFailure(cause: unknown): ApplicationError {
  const why = cause instanceof S3ServiceException ? `, which answers ${cause.name}` : ''
  return new ApplicationError('UNAVAILABLE', `The stored files cannot be reached in MERLON_OBJECTS${why}`, {
    cause,
    retryable: mayPass(cause),
  })
}
