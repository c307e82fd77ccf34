// The interface of the client of a vendor's API, and what opens one: a connector, an address, and the credential of an integration.

import type { z } from 'zod'
import type { VendorFailed, VendorRefused } from './errors.ts'
import type { patiences } from './http-answers.ts'
import type { CallOptions, Method, Spoken } from './http-request.ts'
import type { Credential } from './kinds.ts'
import type { Path } from './paths.ts'

/** Provides the credential of an integration, and handles one that the vendor refused. */
export type Credentials = {
  current: () => Promise<Credential>
  /** Another credential than the refused one; null if there is none. */
  renew: (refused: Credential) => Promise<Credential | null>
  /** The vendor refused it and there is no other: marks the integration as broken. */
  reject: (refused: Credential) => Promise<void>
  /** Receives the outcome of every call; returns at once. */
  noted?: (outcome: Outcome) => void
}

/** `failure` is null if the call succeeded. `remaining`: what is left of the vendor's rate limit; null if the vendor does not say. */
export type Outcome = { failure: VendorFailed | VendorRefused | null; remaining: number | null }

export type VendorAnswer<T> = { status: number; headers: Readonly<Record<string, string>>; value: T }

/** The schema by which an answer is read; null: the answer is ignored. */
export type Schema<T> = z.ZodType<T> | null

/** Every call rejects with VendorFailed or VendorRefused. Paths come from `at` or `next`, so that no part of one can escape. */
export type VendorClient = {
  get<T>(path: Path, schema: z.ZodType<T>, options?: CallOptions): Promise<T>
  post<T>(path: Path, json: unknown, schema: Schema<T>, options?: CallOptions): Promise<T>
  put<T>(path: Path, json: unknown, schema: Schema<T>, options?: CallOptions): Promise<T>
  patch<T>(path: Path, json: unknown, schema: Schema<T>, options?: CallOptions): Promise<T>
  delete(path: Path, options?: CallOptions): Promise<void>
  /** As the others, with status and headers. */
  answer<T>(method: Method, path: Path, schema: Schema<T>, options?: CallOptions): Promise<VendorAnswer<T>>
  /**
   * The content at the path, of any type but a web page, as a stream: at most `largest` bytes within `timeout`, which is for all
   * of it. Reading rejects as a call does.
   */
  stream(path: Path, options?: CallOptions): Promise<AsyncIterable<Uint8Array>>
  /** The path of an address from the vendor, absolute or relative; LED_ELSEWHERE if it has another origin. */
  next(address: string): Path
  /** The same credential at another address of the vendor: a constant of the connector, never taken from an answer. */
  sibling(base: string): VendorClient
}

export type ClientOptions = {
  connector: Spoken
  base: string
  /** names the credential, for what is counted by credential; held in memory alone */
  key: string
  credentials: Credentials
  /** CALLER: a person waits for the answer, seconds; JOB: minutes */
  patience: keyof typeof patiences
}
