// The lines of an NDJSON file of findings, in batches that a request can hold.

import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** Findings per request. */
const MOST_FINDINGS = 500

/** Bytes of the lines of one request: half of the default limit of a body. */
const MOST_BYTES = 1024 * 1024

/** A line of NDJSON: the fields of the input, and the type if it is not a SAST finding. */
export type Finding = Record<string, unknown> & { type?: string }

export type Numbered = { line: number; finding: Finding }

export type Fault = { line: number; message: string }

/** Issue type → the field of the batch's input that takes it. */
export const inputNames: Record<string, string> = {
  SAST_FINDING: 'sastFinding',
  SCA_FINDING: 'scaFinding',
  DAST_FINDING: 'dastFinding',
  IAC_FINDING: 'iacFinding',
  SECRET_FINDING: 'secretFinding',
  CONTAINER_FINDING: 'containerFinding',
  MAST_FINDING: 'mastFinding',
}

/** The findings of a file (`-` for standard input). A line that is not a finding is a fault; `onRead` receives the bytes read so far. */
export async function* readBatches(
  file: string,
  faults: Fault[],
  onRead: (bytes: number) => void,
): AsyncGenerator<Numbered[]> {
  const lines = createInterface({
    input: file === '-' ? process.stdin : createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  let batch: Numbered[] = []
  let batchBytes = 0
  let number = 0
  let read = 0
  for await (const text of lines) {
    number += 1
    const bytes = Buffer.byteLength(text) + 1
    const parsed = text.trim() === '' ? null : parseLine(text)
    if (batch.length === MOST_FINDINGS || (batch.length > 0 && batchBytes + bytes > MOST_BYTES)) {
      yield batch
      onRead(read)
      batch = []
      batchBytes = 0
    }
    read += bytes
    if (parsed === null) continue
    if (typeof parsed === 'string') faults.push({ line: number, message: parsed })
    else {
      batch.push({ line: number, finding: parsed })
      batchBytes += bytes
    }
  }
  if (batch.length > 0) yield batch
}

function parseLine(text: string): Finding | string {
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return 'This line is not a JSON object'
    const { type = 'SAST_FINDING' } = value as Finding
    return inputNames[type] ? (value as Finding) : `There is no finding of the type ${type}`
  } catch {
    return 'This line is not JSON'
  }
}
