// POST /graphql: reads a request's body and files, runs the operation within the deadline, and sends the answer in the requested form.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Caller } from '../core/db/caller.ts'
import { ApplicationError } from '../core/errors.ts'
import type { Reading, UploadedFile } from '../core/uploads.ts'
import type { Viewer } from '../modules/context.ts'
import { modules } from '../modules/index.ts'
import { type Admit, RefusedWithoutFiles } from './admission.ts'
import type { GraphqlAnswer } from './answers.ts'
import { withinDeadline } from './deadline.ts'
import type { Endpoint } from './graphql.ts'
import { type RequestFacts, readGraphqlRequest } from './graphql-request.ts'
import { readIdempotencyKey } from './idempotency.ts'
import { readMultipart } from './multipart.ts'
import { bodyKind, GRAPHQL_RESPONSE, prefersResponseType } from './negotiate.ts'
import type { LetIn, ServerParts } from './server-parts.ts'
import { findViewer } from './session.ts'
import { openUnsent } from './unsent.ts'

/** Milliseconds after a request within which its body has arrived with it. */
const AT_ONCE = 50

type Taking = { endpoint: Endpoint; admit: Admit }

export function addEndpoint(app: FastifyInstance, { endpoint, admit }: Taking, parts: ServerParts, letIn: LetIn): void {
  const requireBody = async (request: FastifyRequest) => void bodyKind(request.headers)
  const unsent = openUnsent()
  app.post('/graphql', { onRequest: [letIn, requireBody] }, async (request, reply) => {
    if (request.viewer) unsent.requireTaken(request.viewer)
    const files: UploadedFile[] = []
    const sweep = () => removeUnkept(files, parts)
    const body = await readBody(request, parts, admit, files).catch(async (error: unknown) => {
      await sweep()
      if (error instanceof RefusedWithoutFiles) return error.body
      throw error
    })
    // A body may take an hour to arrive, and the key or the session may have ended meanwhile.
    if (reply.elapsedTime > AT_ONCE) request.viewer = await findViewer(request, parts)
    // Files are kept until the operation has ended, which may be after the caller got TIMEOUT.
    const caller = callerOf(reply)
    const operation = (signal: AbortSignal) => operate(endpoint, body, request, { caller, signal }).finally(sweep)
    const answer = await withinDeadline(operation, parts.config.requestTimeout)
    if (request.viewer) unsent.hold(request.viewer, answer.body.length, reply.raw)
    return send(answer, request, reply)
  })
}

/** The caller who waits for the reply; it has left if the connection closes before the reply is sent. */
function callerOf({ raw }: FastifyReply): Caller {
  const caller = new Caller()
  raw.once('close', () => {
    if (!raw.writableFinished) caller.left()
  })
  return caller
}

async function operate(
  endpoint: Endpoint,
  body: unknown,
  request: FastifyRequest,
  ends: Pick<RequestFacts, 'caller' | 'signal'>,
): Promise<GraphqlAnswer> {
  const { viewer, id, ip, headers } = request
  if (!viewer) throw new ApplicationError('UNAUTHENTICATED', 'A valid key is needed in the header x-api-key')
  const idempotencyKey = readIdempotencyKey(headers['idempotency-key'])
  return endpoint(readGraphqlRequest(body), { id, address: ip, idempotencyKey, viewer, ...ends })
}

async function readBody(request: FastifyRequest, parts: ServerParts, admit: Admit, files: UploadedFile[]) {
  const { viewer, body, headers } = request
  if (bodyKind(headers) === 'json' || !viewer) return body
  const { config, objects } = parts
  const { jsonBytes, filesPerRequest, attachmentBytes, diffBytes, reportBytes } = config.limits
  const limits = {
    operationsBytes: jsonBytes,
    fileBytes: Math.max(attachmentBytes, diffBytes, reportBytes),
    files: filesPerRequest,
  }
  return readMultipart(request.raw, objects, limits, {
    admit: (operations, places) => admit(operations, places, viewer),
    openReading: (places) => openReading(places, viewer),
    received: (file) => files.push(file),
  })
}

const readings = modules.flatMap((module) => module.openReading ?? [])

/** The reading of a file for these places by a module while it arrives; null if no module reads it. */
function openReading(places: readonly string[], viewer: Viewer): Reading | null {
  for (const place of places) {
    for (const open of readings) {
      const reading = open(place, viewer)
      if (reading) return reading
    }
  }
  return null
}

/** Removes the stored files of a multipart body to which no row refers; files inside JSON are left to the sweep. */
async function removeUnkept(files: readonly UploadedFile[], { objects, log }: ServerParts): Promise<void> {
  for (const { kept, stored } of files) {
    if (!kept && stored)
      await objects.remove(stored.objectKey).catch((err) => log.warn({ err }, 'A file was left behind'))
  }
}

function send(answer: GraphqlAnswer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.outcome = answer
  const takesResponseType = prefersResponseType(request.headers.accept)
  return reply
    .code(takesResponseType ? answer.status : 200)
    .header('content-type', `${takesResponseType ? GRAPHQL_RESPONSE : 'application/json'}; charset=utf-8`)
    .send(answer.body)
}
